/**
 * Splits text at Unicode's boundaries. The segmenter is created at the first use: its tables take 20 to 50 ms to load, and
 * most processes start without a text to speak.
 */
export function segmentsBy(granularity: 'sentence' | 'word' | 'grapheme'): (text: string) => string[] {
  let segmenter: Intl.Segmenter | undefined;
  return (text) => {
    segmenter ??= new Intl.Segmenter('und', { granularity });
    return Array.from(segmenter.segment(text), ({ segment }) => segment);
  };
}
