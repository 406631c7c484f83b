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
 * word, ignoring case; of two names with the same beginning the longer one wins.
 */
export function findMentions(content: string, addressees: readonly Addressee[]): Mention[] {
  if (!content.includes('@')) return [];
  const byLength = addressees.toSorted((a, b) => b.name.length - a.name.length);
  const named = byLength.map((addressee) => ({ ...addressee, folded: foldCase(addressee.name) }));
  const folded = foldCase(content);
  const found = new Map<string, Mention>();
  for (let at = folded.indexOf('@'); at >= 0 && found.size < maxMentions; at = folded.indexOf('@', at + 1)) {
    if (at > 0 && isWordCharacter(folded, at - 1)) continue;
    const match = named.find(
      ({ folded: name }) => folded.startsWith(name, at + 1) && !isWordCharacter(folded, at + 1 + name.length),
    );
    if (match) found.set(`${match.kind} ${match.id}`, { kind: match.kind, id: match.id });
  }
  return [...found.values()];
}

/** Converts to lower case without changing the length, so that offsets remain valid. */
const foldCase = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** Both halves of a surrogate pair count as word characters. */
const isWordCharacter = (text: string, index: number): boolean =>
  index < text.length && /[\p{L}\p{N}_\ud800-\udfff]/u.test(text.charAt(index));
