/** The text of a document and the locations of its parts. */
export interface ExtractedText {
  text: string;
  /** Locations in text order. Each one applies from its offset (UTF-16 units) up to the next. */
  places: readonly { offset: number; place: string }[];
}

/** Maximum text of one document, in characters: ten times the largest upload, because PDFs are compressed. */
export const maxTextLength = 100_000_000;

/** Joins parts and records the offset of each. */
export function joinParts(parts: Iterable<{ text: string; place: string }>, separator: string): ExtractedText {
  const places: { offset: number; place: string }[] = [];
  const texts: string[] = [];
  let offset = 0;
  for (const { text, place } of parts) {
    if (places.at(-1)?.place !== place) places.push({ offset, place });
    texts.push(text);
    offset += text.length + separator.length;
  }
  return { text: texts.join(separator), places };
}
