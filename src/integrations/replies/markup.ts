import { splitFences } from '../../core/markdown-fences.ts';
import type { PlatformKind } from '../platforms.ports.ts';

/** Converts Markdown to the platform's markup: Discord reads Markdown, Telegram a subset of HTML, Slack its mrkdwn. */
export function toMarkup(platform: PlatformKind, markdown: string): string {
  return platform === 'chat_server' ? markdown : convert(markdown, dialects[platform]);
}

interface Dialect {
  escape(text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  strike(text: string): string;
  code(text: string): string;
  block(text: string, language: string): string;
  link(text: string, url: string): string;
}

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const dialects: Record<Exclude<PlatformKind, 'chat_server'>, Dialect> = {
  chat_messenger: {
    escape: escapeHtml,
    bold: (text) => `<b>${text}</b>`,
    italic: (text) => `<i>${text}</i>`,
    strike: (text) => `<s>${text}</s>`,
    code: (text) => `<code>${text}</code>`,
    block: (text, language) =>
      language ? `<pre><code class="language-${language}">${text}</code></pre>` : `<pre>${text}</pre>`,
    link: (text, url) => `<a href="${url.replace(/"/g, '&quot;')}">${text}</a>`,
  },
  chat_workspace: {
    escape: escapeHtml,
    bold: (text) => `*${text}*`,
    italic: (text) => `_${text}_`,
    strike: (text) => `~${text}~`,
    code: (text) => `\`${text}\``,
    block: (text) => `\`\`\`\n${text}\n\`\`\``,
    link: (text, url) => `<${url.replace(/\|/g, '%7C')}|${text}>`,
  },
};

const convert = (markdown: string, dialect: Dialect): string =>
  splitFences(markdown)
    .map((piece) =>
      piece.kind === 'text' ? lines(piece.text, dialect) : dialect.block(dialect.escape(piece.text), piece.language),
    )
    .join('\n');

/** Converts headings to bold lines, list marks to bullets, and inline markup. */
const lines = (text: string, dialect: Dialect): string =>
  text
    .split('\n')
    .map((line) => {
      const heading = headingOf(line);
      if (heading) return dialect.bold(inline(heading.replace(/\*\*|__/g, ''), dialect));
      return inline(line.replace(/^(\s*)[*+-]\s+/, '$1• '), dialect);
    })
    .join('\n');

/** Returns the text of a heading without its marks; undefined for any other line. */
function headingOf(line: string): string | undefined {
  const opening = /^ {0,3}#{1,6}\s/.exec(line)?.[0];
  if (opening === undefined) return undefined;
  let end = line.length;
  while (end > opening.length && line[end - 1] === '#') end--;
  return line.slice(opening.length, end).trim();
}

// One alternative for each construct. Its content is converted recursively, so marks always nest. Lengths are bounded,
// because an unclosed mark would make each match scan the rest of the line.
const span =
  /`([^`\n]{1,1000})`|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2048})\)|\*\*(?=\S)(.{1,1000}?)(?<=\S)\*\*|__(?=\S)(.{1,1000}?)(?<=\S)__|~~(?=\S)(.{1,1000}?)(?<=\S)~~|(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000}?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]{1,1000}?)(?<=\S)_(?![\w_])/;

function inline(text: string, dialect: Dialect): string {
  let converted = '';
  let rest = text;
  for (let match = span.exec(rest); match; match = span.exec(rest)) {
    converted += dialect.escape(rest.slice(0, match.index)) + spanOf(match, dialect);
    rest = rest.slice(match.index + match[0].length);
  }
  return converted + dialect.escape(rest);
}

function spanOf(match: RegExpExecArray, dialect: Dialect): string {
  const [, code, linkText, url, stars, lows, strike, star, low] = match;
  if (code !== undefined) return dialect.code(dialect.escape(code));
  if (linkText !== undefined && url !== undefined) return dialect.link(dialect.escape(linkText), dialect.escape(url));
  const bold = stars ?? lows;
  if (bold !== undefined) return dialect.bold(inline(bold, dialect));
  if (strike !== undefined) return dialect.strike(inline(strike, dialect));
  return dialect.italic(inline(star ?? low ?? '', dialect));
}
