/** Checks JSON as it streams by, in constant memory but for its depth. */
export interface JsonSyntax {
  /** False as soon as what was seen can't be the beginning of JSON. */
  write(bytes: Uint8Array): boolean;
  /** Whether what was seen is one whole JSON value. */
  end(): boolean;
}

const [value, firstMember, member, colon, firstElement, afterValue] = [0, 1, 2, 3, 4, 5] as const;
const code = (character: string): number => character.charCodeAt(0);
const space = new Set([' ', '\t', '\n', '\r'].map(code));
const hex = /^[0-9a-fA-F]$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals = new Set(['true', 'false', 'null']);
const longestWord = 4_096;

/**
 * Bytes in any charset in which ASCII is ASCII (UTF-8, the ISO and Windows ones): what is above only stands in strings.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export function createJsonSyntax(): JsonSyntax {
  const open: ('{' | '[')[] = [];
  let expected: number = value;
  let inString = false;
  let isKey = false;
  let escape = 0;
  let word = '';
  let isBroken = false;

  const valueEnded = (): void => {
    expected = afterValue;
  };
  const endWord = (): boolean => {
    if (word === '') return true;
    const fits = literals.has(word) || number.test(word);
    word = '';
    valueEnded();
    return fits;
  };

  const inText = (byte: number): boolean => {
    if (escape === 1) {
      escape = byte === code('u') ? 5 : 0;
      return escape === 5 || '"\\/bfnrt'.includes(String.fromCharCode(byte));
    }
    if (escape > 1) {
      escape = escape === 2 ? 0 : escape - 1;
      return hex.test(String.fromCharCode(byte));
    }
    if (byte === code('\\')) escape = 1;
    else if (byte === code('"')) {
      inString = false;
      if (isKey) expected = colon;
      else valueEnded();
    }
    return byte >= 0x20;
  };

  const close = (bracket: '{' | '['): boolean => {
    const fits = open.pop() === bracket;
    valueEnded();
    return fits;
  };

  const begins = (byte: number): boolean => {
    const character = String.fromCharCode(byte);
    const wantsValue = expected === value || expected === firstElement;
    switch (character) {
      case '"':
        isKey = expected === member || expected === firstMember;
        inString = true;
        return isKey || wantsValue;
      case '{':
      case '[':
        open.push(character);
        expected = character === '{' ? firstMember : firstElement;
        return wantsValue;
      case '}':
        return (expected === afterValue || expected === firstMember) && close('{');
      case ']':
        return (expected === afterValue || expected === firstElement) && close('[');
      case ',': {
        const fits = expected === afterValue && open.length > 0;
        expected = open.at(-1) === '{' ? member : value;
        return fits;
      }
      case ':': {
        const fits = expected === colon;
        expected = value;
        return fits;
      }
      default:
        word = character;
        return wantsValue && /[-\dtfn]/.test(character);
    }
  };

  const step = (byte: number): boolean => {
    if (inString) return inText(byte);
    if (word !== '') {
      if (/[-+.\w]/.test(String.fromCharCode(byte))) {
        // A number may be long, but nobody writes one of thousands of digits.
        word += String.fromCharCode(byte);
        return word.length <= longestWord;
      }
      if (!endWord()) return false;
    }
    return space.has(byte) || begins(byte);
  };

  return {
    write: (bytes) => {
      for (let i = 0; i < bytes.length && !isBroken; i++) isBroken = !step(bytes[i] ?? 0);
      return !isBroken;
    },
    end: () => !isBroken && !inString && endWord() && open.length === 0 && expected === afterValue,
  };
}
