/**
 * Returns a function that splits text at Unicode boundaries. The segmenter is created on first use, because loading its
 * tables takes 20 to 50 ms and most processes do not need it at startup.
 */
export function segmentsBy(granularity: 'sentence' | 'word' | 'grapheme'): (text: string) => string[] {
  let segmenter: Intl.Segmenter | undefined;
  return (text) => {
    segmenter ??= new Intl.Segmenter('und', { granularity });
    return Array.from(segmenter.segment(text), ({ segment }) => segment);
  };
}
