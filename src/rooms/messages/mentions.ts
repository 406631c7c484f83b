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
 * word, ignoring case and the form in which its characters are written; of two names with the same beginning the longer
 * one wins. Scripts without spaces between words need none around the name.
 */
export function findMentions(content: string, addressees: readonly Addressee[]): Mention[] {
  if (!mayMention(content)) return [];
  const byLength = addressees.toSorted((a, b) => b.name.length - a.name.length);
  const named = byLength.map((addressee) => ({ ...addressee, folded: fold(addressee.name) }));
  const folded = fold(content);
  const found = new Map<string, Mention>();
  for (let at = folded.indexOf('@'); at >= 0 && found.size < maxMentions; at = folded.indexOf('@', at + 1)) {
    // As in an e-mail address.
    if (spacedEnd.test(before(folded, at))) continue;
    const match = named.find(
      ({ folded: name }) => folded.startsWith(name, at + 1) && !continuesWord(folded, at + 1 + name.length),
    );
    if (match) found.set(`${match.kind} ${match.id}`, { kind: match.kind, id: match.id });
  }
  return [...found.values()];
}

/** Returns whether a text can contain a mention. */
export const mayMention = (content: string): boolean => /[@\uff20\ufe6b]/.test(content);

/** Returns a text without differences of case, width and composition. A full-width `＠` becomes `@`. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Letters of scripts that are written without spaces between words, or, as Korean, with endings attached. */
const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}ー々`;
const spaced = String.raw`(?![${unspaced}])[\p{L}\p{N}_]`;
const spacedStart = new RegExp(`^${spaced}`, 'u');
const spacedEnd = new RegExp(String.raw`${spaced}\p{M}*$`, 'u');
const unspacedEnd = new RegExp(String.raw`[${unspaced}]\p{M}*$`, 'u');

/** The last few characters before an offset. */
const before = (text: string, index: number): string => text.slice(Math.max(0, index - 8), index);

/** Returns whether the character at an offset belongs to the word before it. */
function continuesWord(text: string, index: number): boolean {
  const next = text.slice(index, index + 2);
  return /^\p{M}/u.test(next) || (spacedStart.test(next) && !unspacedEnd.test(before(text, index)));
}
