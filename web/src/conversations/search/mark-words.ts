import { wordsPattern } from '../../parts/values/words-pattern.ts';

/** Returns the words of a search, without operators and excluded words. */
const wordsOf = (q: string): string[] =>
  (q.replaceAll(/(?<!\S)-\S+/g, '').match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/^or$/i.test(word));

/** Marks the words of a search in an element, without changing its elements. Returns a function that removes the marks. */
export function markWords(element: Element, q: string): (() => void) | undefined {
  const words = wordsOf(q);
  if (words.length === 0 || !('highlights' in CSS)) return undefined;
  const found = new Highlight();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(wordsPattern(words))) {
      const end = { endContainer: node, endOffset: index + word.length };
      found.add(new StaticRange({ startContainer: node, startOffset: index, ...end }));
    }
  }
  CSS.highlights.set('found', found);
  return () => void CSS.highlights.delete('found');
}
