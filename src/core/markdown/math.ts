import type { MarkedExtension, TokenizerAndRendererExtension } from 'marked';

/** Longest formula, in characters. The search for the end of a formula stops there. */
const maxLength = 2_000;

const display = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])/;
/** `$5 and $6` is money: a `$` before a digit or a space does not start a formula. */
const inline = /^(?:\\\(([\s\S]+?)\\\)|\$(?![\s\d$])((?:[^$\\\n]|\\.)+?)(?<![\s\\])\$(?!\d))/;
/** A block formula starts a line; the parser ends the paragraph before it there. */
const blockStart = /(?<=\n)(?:\$\$|\\\[)/;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const extension = (name: string, level: 'block' | 'inline', rule: RegExp): TokenizerAndRendererExtension => ({
  name,
  level,
  start: (source) => (level === 'block' ? paragraphOf(source).search(blockStart) : source.search(/\$|\\[([]/)),
  tokenizer(source) {
    const match = source.startsWith('$') || source.startsWith('\\') ? rule.exec(source.slice(0, maxLength)) : null;
    return match ? { type: name, raw: match[0], text: (match[1] ?? match[2] ?? '').trim() } : undefined;
  },
  renderer: ({ text }) => `<code class="language-${name}">${escapeHtml(String(text))}</code>`,
});

const paragraphOf = (source: string): string => {
  const end = source.indexOf('\n\n');
  return end < 0 ? source : source.slice(0, end);
};

/** Formulas in TeX: tokens `math` and `math-display` with the formula as `text`. */
export const mathTokens: MarkedExtension = {
  extensions: [
    extension('math-display', 'block', display),
    extension('math', 'inline', inline),
    extension('math-display', 'inline', display),
  ],
};
