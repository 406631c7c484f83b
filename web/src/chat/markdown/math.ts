import { marked, type TokenizerAndRendererExtension } from 'marked';

const display = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])/;
/** `$5 and $6` is money: a `$` before a digit or a space does not start a formula. */
const inline = /^(?:\\\(([\s\S]+?)\\\)|\$(?![\s\d$])((?:[^$\\\n]|\\.)+?)(?<![\s\\])\$(?!\d))/;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const extension = (name: string, level: 'block' | 'inline', rule: RegExp): TokenizerAndRendererExtension => ({
  name,
  level,
  // A block formula starts a line; `marked` ends the paragraph before it there.
  start: (source) => source.search(level === 'block' ? /(?<=\n)(?:\$\$|\\\[)/ : /\$|\\[([]/),
  tokenizer(source) {
    const match = rule.exec(source);
    if (!match) return undefined;
    return { type: name, raw: match[0], text: (match[1] ?? match[2] ?? '').trim() };
  },
  renderer: ({ text }) => `<code class="language-${name}">${escapeHtml(String(text))}</code>`,
});

// Formulas are rendered as code here. KaTeX, which is large, replaces them when their block is settled.
marked.use({ extensions: [extension('math-display', 'block', display), extension('math', 'inline', inline)] });
marked.use({ extensions: [{ ...extension('math-display', 'inline', display), name: 'math-display' }] });
