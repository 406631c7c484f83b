/** Splits a text into parts of at most `maxWeight`, at ends of sentences where it can, else between words. No part is blank. */
export function splitIntoParts(text: string, maxWeight: number): string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const piece of piecesOf(text, maxWeight)) {
    const added = weightOf(piece);
    if (weight + added > maxWeight && part) {
      parts.push(part);
      part = '';
      weight = 0;
    }
    part += piece;
    weight += added;
  }
  return [...parts, part].map((each) => each.trim()).filter(Boolean);
}

/**
 * What a text weighs against a provider's limit: one for each Latin character, two for all others, because the limit is
 * one of characters and one of tokens, and other scripts have up to a token for each character.
 */
function weightOf(text: string): number {
  let weight = 0;
  for (const character of text) weight += (character.codePointAt(0) ?? 0) < 0x250 ? 1 : 2;
  return weight;
}

const granularities = ['sentence', 'word', 'grapheme'] as const;
const segmenters = granularities.map((granularity) => new Intl.Segmenter('und', { granularity }));

/** Sentences; where one is too heavy its words, where one of those is, its characters. */
function piecesOf(text: string, maxWeight: number, level = 0): string[] {
  const segments = [...(segmenters[level]?.segment(text) ?? [])].map(({ segment }) => segment);
  if (level === segmenters.length - 1) return segments;
  return segments.flatMap((segment) =>
    weightOf(segment) <= maxWeight ? [segment] : piecesOf(segment, maxWeight, level + 1),
  );
}
