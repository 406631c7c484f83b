import { marked } from 'marked';
import './math.ts';
import { sourceMark } from './source-marks.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

marked.use({
  gfm: true,
  renderer: {
    // Pictures become links: loading one would tell another host that the reply was read.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    // HTML from the model is shown as text, so that nothing it writes disappears.
    html: ({ text }) => escapeHtml(text),
  },
});

/** Whether the parsed text contains source marks; otherwise text that looks like a mark is plain text. */
let hasSources = false;

marked.use({
  extensions: [
    {
      name: 'source',
      level: 'inline',
      start: (source) => (hasSources ? source.indexOf('【') : -1),
      tokenizer(source) {
        const match = hasSources ? sourceMark.exec(source) : null;
        return match ? { type: 'source', raw: match[0], text: match[1] } : undefined;
      },
      renderer: ({ text }) => `<sup data-source="${text}"></sup>`,
    },
  ],
});

/** Returns unsafe HTML of one block. Insert it only through `setMarkdownHtml`, which sanitizes it. */
export function markdownHtml(source: string, isMarked = false): string {
  hasSources = isMarked;
  return marked.parse(source, { async: false });
}
