import { marked } from 'marked';
import './math.ts';
import { sourceMark } from './source-marks.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

marked.use({
  gfm: true,
  renderer: {
    // A picture is a link: loading it would tell another host that it was read.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    // HTML of the model is text, so that nothing it writes disappears.
    html: ({ text }) => escapeHtml(text),
  },
});

/** Whether the text that is being parsed has marks of sources; otherwise what looks like one is text. */
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

/** HTML of one block. It is not safe before it went through `setMarkdownHtml`. */
export function markdownHtml(source: string, isMarked = false): string {
  hasSources = isMarked;
  return marked.parse(source, { async: false });
}
