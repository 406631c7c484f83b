import { normalForm } from '../../core/text/normal-form.ts';
import { hasUnspaced } from '../../core/text/unspaced.ts';

/** A person or agent that a message addresses. */
export interface Mention {
  kind: 'user' | 'agent';
  id: string;
}

/** A person or agent that can be addressed by name. */
export interface Addressee extends Mention {
  name: string;
}

/**
 * Maximum number of mentions. Further ones are plain text, so that a message with a hundred names does not trigger a
 * hundred agents.
 */
const maxMentions = 5;

/**
 * Returns the first five addressees that a text names as `@name`, in the order of the text. A name matches as a whole
 * word in its normal form: case, accents, width and invisible characters are ignored. In scripts without spaces, the
 * text may continue right before and after it. Of two names with the same beginning the longer one wins, of two names
 * with the same normal form the one that is written exactly so.
 */
export function findMentions(content: string, addressees: readonly Addressee[]): Mention[] {
  if (!mayMention(content)) return [];
  const text = normalForm(content);
  const written = exactForm(content);
  const named = addressees
    .map((addressee) => ({
      ...addressee,
      form: normalForm(addressee.name),
      isExact: written.includes(`@${exactForm(addressee.name)}`),
    }))
    .filter(({ form }) => form !== '')
    .toSorted((a, b) => b.form.length - a.form.length || Number(b.isExact) - Number(a.isExact));
  const found = new Map<string, Mention>();
  for (let at = text.indexOf('@'); at >= 0 && found.size < maxMentions; at = text.indexOf('@', at + 1)) {
    // As in an e-mail address.
    if (continuesWord(characterBefore(text, at))) continue;
    const match = named.find(({ form }) => text.startsWith(form, at + 1) && endsAt(text, at + 1 + form.length));
    if (match) found.set(`${match.kind} ${match.id}`, { kind: match.kind, id: match.id });
  }
  return [...found.values()];
}

function endsAt(text: string, index: number): boolean {
  const next = characterAt(text, index);
  // A mark belongs to the letter before it in every script.
  if (/\p{M}/u.test(next)) return false;
  return hasUnspaced(characterBefore(text, index)) || !continuesWord(next);
}

const exactForm = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Returns whether a text can contain a mention. */
export const mayMention = (content: string): boolean => /[@\uff20\ufe6b]/.test(content);

/** Returns whether a character is a letter or digit of a script with spaces, so that a word continues with it. */
const continuesWord = (character: string): boolean => /[\p{L}\p{N}\p{M}_]/u.test(character) && !hasUnspaced(character);

const characterBefore = (text: string, index: number): string =>
  /[^]$/u.exec(text.slice(Math.max(0, index - 2), index))?.[0] ?? ' ';

const characterAt = (text: string, index: number): string => String.fromCodePoint(text.codePointAt(index) ?? 0x20);
