import type { PlatformKind } from '../platforms.ports.ts';

/** Markup around text. It is closed at the end of a message and opened again in the next. */
export interface Mark {
  kind: 'bold' | 'italic' | 'strike' | 'code' | 'block' | 'quote' | 'indent';
  open: string;
  close: string;
  /** Text at the start of each further line inside the mark. */
  linePrefix?: string;
}

/** The markup of a platform. The texts that its functions take are plain text. */
export interface Dialect {
  escape: (text: string) => string;
  /** Escapes a sign that the author wrote with a backslash. */
  escapeSign: (sign: string) => string;
  bold: Mark;
  italic: Mark;
  strike: Mark;
  quote: Mark;
  code: (text: string) => Mark;
  block: (language: string) => Mark;
  /** Escapes the content of code. */
  inCode: (text: string) => string;
  heading: (depth: number) => Mark;
  bullet: string;
  link: (text: string, url: string) => string;
  bareLink: (text: string, url: string) => string;
  /** Whether inline marks apply only within a line and only beside white space and punctuation. */
  hasNarrowMarks: boolean;
}

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const mark = (kind: Mark['kind'], open: string, close = open): Mark => ({ kind, open, close });

/** Keeps three backticks in code from ending it. */
const withoutFences = (text: string): string => text.replaceAll('```', '``\u200b`');

const telegram: Dialect = {
  escape: escapeHtml,
  escapeSign: escapeHtml,
  bold: mark('bold', '<b>', '</b>'),
  italic: mark('italic', '<i>', '</i>'),
  strike: mark('strike', '<s>', '</s>'),
  quote: mark('quote', '<blockquote>', '</blockquote>'),
  code: () => mark('code', '<code>', '</code>'),
  block: (language) =>
    language
      ? mark('block', `<pre><code class="language-${language}">`, '</code></pre>')
      : mark('block', '<pre>', '</pre>'),
  inCode: escapeHtml,
  heading: () => telegram.bold,
  bullet: '• ',
  link: (text, url) => `<a href="${escapeHtml(url).replace(/"/g, '&quot;')}">${escapeHtml(text)}</a>`,
  bareLink: escapeHtml,
  hasNarrowMarks: false,
};

const slack: Dialect = {
  escape: escapeHtml,
  escapeSign: escapeHtml,
  bold: mark('bold', '*'),
  italic: mark('italic', '_'),
  strike: mark('strike', '~'),
  quote: { kind: 'quote', open: '> ', close: '', linePrefix: '> ' },
  code: () => mark('code', '`'),
  block: () => mark('block', '```\n', '\n```'),
  inCode: (text) => escapeHtml(withoutFences(text)),
  heading: () => slack.bold,
  bullet: '• ',
  link: (text, url) => `<${slackUrl(url)}|${escapeHtml(text.replace(/[|\n]/g, ' '))}>`,
  bareLink: (text, url) => (text === url ? `<${slackUrl(url)}>` : slack.link(text, url)),
  hasNarrowMarks: true,
};

const slackUrl = (url: string): string => escapeHtml(url).replace(/\|/g, '%7C');

/** Escapes what Discord would take for marks: marks next to text, except `_` inside a word. */
const escapeDiscord = (text: string): string =>
  text
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\*(?=\S)|(?<=\S)\*|`|~~|\|\|/g, (found) => [...found].map((sign) => `\\${sign}`).join(''))
    .replace(/^(?:#{1,3}|[-+>]|>>>|-#)$/, (found) => `\\${found}`);

const discord: Dialect = {
  escape: escapeDiscord,
  escapeSign: (sign) => `\\${sign}`,
  bold: mark('bold', '**'),
  italic: mark('italic', '*'),
  strike: mark('strike', '~~'),
  quote: { kind: 'quote', open: '> ', close: '', linePrefix: '> ' },
  code: (text) => (text.includes('`') ? mark('code', '`` ', ' ``') : mark('code', '`')),
  block: (language) => mark('block', `\`\`\`${language}\n`, '\n```'),
  inCode: withoutFences,
  heading: (depth) => (depth <= 3 ? mark('bold', `${'#'.repeat(depth)} `, '') : discord.bold),
  bullet: '- ',
  link: (text, url) => `[${text.replace(/[[\]\n]/g, ' ')}](${url.replace(/\(/g, '%28').replace(/\)/g, '%29')})`,
  bareLink: (text) => text,
  hasNarrowMarks: false,
};

/** Discord reads a kind of Markdown, Telegram a subset of HTML, Slack its mrkdwn. */
export const dialects: Record<PlatformKind, Dialect> = {
  chat_server: discord,
  chat_messenger: telegram,
  chat_workspace: slack,
};
