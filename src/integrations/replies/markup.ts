import type { Token, Tokens } from 'marked';
import { parseMarkdown } from '../../core/markdown/parse-markdown.ts';
import { decodeEntities, plainInline, tableLines } from '../../core/markdown/plain-text.ts';
import type { PlatformKind } from '../platforms.ports.ts';
import { type Dialect, dialects, type Mark } from './dialects.ts';
import { type Atom, splitAtoms } from './split-reply.ts';

/** Largest length of a message on each platform, in UTF-16 code units. */
const limits: Record<PlatformKind, number> = { chat_server: 2_000, chat_messenger: 4_096, chat_workspace: 3_000 };

/**
 * Converts Markdown to messages in the platform's markup, each within the platform's length limit. A mark or code block
 * that continues in the next message is closed and opened again there; a link is never divided. None is blank.
 */
export const toParts = (platform: PlatformKind, markdown: string, limit = limits[platform]): string[] =>
  splitAtoms(atomsOf(markdown, dialects[platform], limit), limit, dialects[platform].hasNarrowMarks);

function atomsOf(markdown: string, dialect: Dialect, limit: number): Atom[] {
  const atoms: Atom[] = [];
  const add = (text: string, marks: readonly Mark[]) => void (text !== '' && atoms.push({ text, marks }));
  const inlineKinds: readonly Mark['kind'][] = ['bold', 'italic', 'strike', 'code'];
  const newLine = (marks: readonly Mark[]) =>
    add('\n', dialect.hasNarrowMarks ? marks.filter(({ kind }) => !inlineKinds.includes(kind)) : marks);

  /** Adds text word by word, so that it can be divided between words. */
  const addWords = (text: string, marks: readonly Mark[], escape: (text: string) => string) => {
    for (const word of text.split(/(\n|[^\S\n]+)/)) {
      if (word === '\n') newLine(marks);
      else for (const piece of piecesOf(word, limit / 10)) add(escape(piece), marks);
    }
  };
  const withMark = (marks: readonly Mark[], mark: Mark) =>
    marks.some(({ kind }) => kind === mark.kind) ? marks : [...marks, mark];

  const inline = (tokens: readonly Token[], marks: readonly Mark[]): void => {
    for (const token of tokens) inlineToken(token as Tokens.Generic, marks);
  };
  const inlineToken = (token: Tokens.Generic, marks: readonly Mark[]): void => {
    const nested = token.tokens ?? [];
    if (token.type === 'strong') return inline(nested, withMark(marks, dialect.bold));
    if (token.type === 'em') return inline(nested, withMark(marks, dialect.italic));
    if (token.type === 'del') return inline(nested, withMark(marks, dialect.strike));
    if (token.type === 'codespan' || token.type === 'math') return code(String(token['text']), marks);
    if (token.type === 'math-display') return block(String(token['text']), '', marks);
    if (token.type === 'br' || (token.type === 'html' && /^<br\s*\/?>$/i.test(token.raw.trim()))) return newLine(marks);
    if (token.type === 'link' || token.type === 'image') return link(token as Tokens.Link | Tokens.Image, marks);
    if (token.type === 'checkbox') return undefined;
    if (token.type === 'escape') return add(dialect.escapeSign(String(token['text'])), marks);
    if (token.type === 'text' && nested.length > 0) return inline(nested, marks);
    const text = String(token['text'] ?? token.raw);
    return addWords(token.type === 'text' ? decodeEntities(text) : text, marks, dialect.escape);
  };
  const code = (text: string, marks: readonly Mark[]) =>
    addWords(text.replaceAll('\n', ' '), withMark(marks, dialect.code(text)), dialect.inCode);
  const link = (token: Tokens.Link | Tokens.Image, marks: readonly Mark[]) => {
    const { href, raw } = token;
    if (!/^(?:https?|mailto):/i.test(href)) return addWords(raw, marks, dialect.escape);
    const isBare = token.type === 'link' && !raw.startsWith('[');
    const label = plainInline(token.tokens ?? [token]).trim() || href;
    const written = isBare ? dialect.bareLink(label, href) : dialect.link(label, href);
    if (written.length <= limit * 0.8) return add(written, marks);
    addWords(isBare ? href : `${label}: ${href}`, marks, dialect.escape);
    return undefined;
  };
  const block = (text: string, language: string, marks: readonly Mark[]) => {
    const inner = [...withoutIndent(marks), dialect.block(language)];
    for (const [n, line] of text.replace(/\n+$/, '').split('\n').entries()) {
      if (n > 0) add('\n', inner);
      for (const piece of piecesOf(line, limit / 10)) add(dialect.inCode(piece), inner);
    }
  };

  const blocks = (tokens: readonly Token[], marks: readonly Mark[]): void => {
    let gap = '';
    for (const token of tokens) {
      if (token.type === 'def' || token.type === 'checkbox') continue;
      if (token.type === 'space') {
        if (gap !== '') gap = '\n\n';
        continue;
      }
      // A code block is not indented, because the indent would become a part of it.
      for (const newline of gap) add(newline, isCode(token) ? withoutIndent(marks) : marks);
      blockToken(token as Tokens.Generic, marks);
      gap = '\n';
    }
  };
  const blockToken = (token: Tokens.Generic, marks: readonly Mark[]): void => {
    if (token.type === 'code') return block(String(token['text']), languageOf((token as Tokens.Code).lang), marks);
    if (token.type === 'table') return block(tableLines(token as Tokens.Table).join('\n'), '', marks);
    if (token.type === 'math-display') return block(String(token['text']), '', marks);
    if (token.type === 'heading')
      return inline(token.tokens ?? [], withMark(marks, dialect.heading(Number(token['depth']))));
    if (token.type === 'blockquote') return blocks(token.tokens ?? [], withMark(marks, dialect.quote));
    if (token.type === 'list') return list(token as Tokens.List, marks);
    if (token.type === 'hr') return add('———', marks);
    if (token.type === 'html') return addWords(token.raw.trimEnd(), marks, dialect.escape);
    return inline(token.tokens ?? [token], marks);
  };
  const list = ({ ordered, start, items }: Tokens.List, marks: readonly Mark[]) => {
    for (const [n, item] of items.entries()) {
      if (n > 0) add('\n', marks);
      const bullet = ordered ? `${Number(start) + n}. ` : dialect.bullet;
      add(item.task ? `${bullet}${item.checked ? '☑' : '☐'} ` : bullet, marks);
      blocks(item.tokens, [...marks, { kind: 'indent', open: '', close: '', linePrefix: ' '.repeat(bullet.length) }]);
    }
  };
  blocks(parseMarkdown(markdown.trim()), []);
  return atoms;
}

const isCode = ({ type }: Token): boolean => type === 'code' || type === 'table' || type === 'math-display';
const withoutIndent = (marks: readonly Mark[]): Mark[] => marks.filter(({ kind }) => kind !== 'indent');
const languageOf = (info = ''): string => /^[\w+#-]{1,30}/.exec(info)?.[0] ?? '';

/** Divides a word that is longer than `longest` between its characters. Escaping makes a piece up to six times as long. */
function piecesOf(word: string, longest: number): string[] {
  if (word.length <= longest) return word === '' ? [] : [word];
  const pieces: string[] = [''];
  for (const character of word) {
    if ((pieces.at(-1) ?? '').length >= longest / 4) pieces.push('');
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}
