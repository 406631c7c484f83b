import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

const outsideOfAscii = /[^\0-\u007f]/g;
const hasOther = /[^\0-\u007f]/;
const mayBeTagged = /[\w$)\]]\s*`/;
const escapesOther = /(?<!\\)(?:\\\\)*\\[^\0-\u007f]/;

/**
 * Escapes every non-ASCII character in the output. V8 keeps the source of each module in memory, and stores all of it
 * with two bytes per character as soon as one character is outside Latin-1.
 */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    transform: (code, id) => (hasOther.test(code) && mayBeTagged.test(code) ? withoutRaw(code, id) : null),
    // The last hook that can change the code.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        if (escapesOther.test(chunk.code))
          throw new Error(`${chunk.name}: a backslash precedes a character outside of ASCII`);
        chunk.code = chunk.code.replaceAll(outsideOfAscii, escaped);
      }
    },
  };
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `String.raw` does not interpret escapes, so non-ASCII characters become interpolated values of its template. */
function withoutRaw(code: string, id: string): string | null {
  const texts: { start: number; end: number }[] = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      const found = quasi.quasis.filter(({ start, end }) => hasOther.test(code.slice(start, end)));
      if (found.length === 0) return;
      if (code.slice(tag.start, tag.end) !== 'String.raw')
        throw new Error(`${id}: a tag reads characters outside of ASCII`);
      texts.push(...found);
    },
  }).visit(parseSync(id, code).program);
  if (texts.length === 0) return null;
  let written = '';
  let at = 0;
  for (const { start, end } of texts.toSorted((a, b) => a.start - b.start)) {
    const values = code.slice(start, end).replaceAll(/[^\0-\u007f]+/g, (text) => `\${${JSON.stringify(text)}}`);
    written += code.slice(at, start) + values;
    at = end;
  }
  return written + code.slice(at);
}
