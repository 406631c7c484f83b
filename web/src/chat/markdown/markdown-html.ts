import type { MarkedExtension, Token } from 'marked';
import { createMarkdownParser, type MarkdownParser } from '../../../../src/core/markdown/parse-markdown.ts';
import { sourceMark } from './source-marks.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const console: MarkedExtension = {
  renderer: {
    // Pictures become links: loading one would tell another host that the reply was read.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    // HTML from the model is shown as text, so that nothing it writes disappears.
    html: ({ text }) => escapeHtml(text),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
};

const sources: MarkedExtension = {
  extensions: [
    {
      name: 'source',
      level: 'inline',
      start: (source) => source.indexOf('【'),
      tokenizer(source) {
        const match = sourceMark.exec(source);
        return match ? { type: 'source', raw: match[0], text: match[1] } : undefined;
      },
      renderer: ({ text }) => `<sup data-source="${text}"></sup>`,
    },
  ],
};

const plain = createMarkdownParser(console);
const marked = createMarkdownParser(console, sources);

/** Returns the parser of a text. Without source marks, text that looks like one is plain text. */
export const parserOf = (isMarked: boolean): MarkdownParser => (isMarked ? marked : plain);

/** Returns unsafe HTML of a tree. Insert it only through `setMarkdownHtml`, which sanitizes it. */
export const markdownHtml = (tokens: Token[]): string => marked.html(tokens);
