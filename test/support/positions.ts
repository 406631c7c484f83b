import type { Frame, Page } from 'playwright-core';

/**
 * Records at each frame where a text of an article begins, and where the article ends.
 * Returns a function that returns the different positions, in pixels of the window.
 */
export async function notePositions(page: Frame | Page, text: string): Promise<() => Promise<string[]>> {
  await page.evaluate(`{
    const seen = ((globalThis.positions ??= {})[${JSON.stringify(text)}] = new Set());
    const note = () => {
      const article = [...document.querySelectorAll('article')].findLast(({ textContent }) =>
        textContent.includes(${JSON.stringify(text)}));
      const words = article && document.createTreeWalker(article, NodeFilter.SHOW_TEXT, ({ data }) =>
        data.includes(${JSON.stringify(text)}) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP).nextNode();
      if (words) {
        const range = document.createRange();
        range.selectNodeContents(words);
        const edges = [range.getBoundingClientRect().top, article.getBoundingClientRect().bottom];
        seen.add(edges.map(Math.round).join(' to '));
      }
      requestAnimationFrame(note);
    };
    note();
  }`);
  return () => page.evaluate<string[]>(`[...globalThis.positions[${JSON.stringify(text)}]]`);
}
