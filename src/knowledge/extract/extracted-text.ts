/** The text of a document and where its parts are. */
export interface ExtractedText {
  text: string;
  /** In the order of the text: from this offset (UTF-16 units) on, `place` names where one is. */
  places: readonly { offset: number; place: string }[];
}

/** Text of one document, in characters. Ten times the largest upload, because a PDF unpacks. */
export const maxTextLength = 100_000_000;

/** Joins parts and notes where each begins. */
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
