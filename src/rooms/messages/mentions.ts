/** Whom a message addresses. */
export interface Mention {
  kind: 'user' | 'agent';
  id: string;
}

/** Someone who can be addressed by a name. */
export interface Addressee extends Mention {
  name: string;
}

/** Further ones are only text: a message with a hundred names must not wake a hundred agents. */
const maxMentions = 5;

/**
 * The first five of the addressees that a text names as `@name`, in the order of the text. A name counts as a whole word and
 * without regard to case; of two that begin alike the longer one counts.
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

/** Lower case without a change of length, so that places stay the same. */
const foldCase = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** Both halves of a surrogate pair count. */
const isWordCharacter = (text: string, index: number): boolean =>
  index < text.length && /[\p{L}\p{N}_\ud800-\udfff]/u.test(text.charAt(index));
