/** The text of a document and the locations of its parts. */
export interface ExtractedText {
  text: string;
  /** In text order: from this offset (UTF-16 units) on, the location is `place`. */
  places: readonly { offset: number; place: string }[];
}

/** Maximum text of one document, in characters. Ten times the largest upload, because PDFs are compressed. */
export const maxTextLength = 100_000_000;

/** Joins parts and records where each begins. */
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
