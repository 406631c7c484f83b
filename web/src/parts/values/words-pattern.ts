/** Returns a pattern that matches a text literally. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Returns a pattern for the words that begin with one of the texts, ignoring case. Its only group is the word. */
export const wordsPattern = (beginnings: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])((?:${beginnings.map(escaped).join('|')})[\p{L}\p{N}]*)`, 'giu');
