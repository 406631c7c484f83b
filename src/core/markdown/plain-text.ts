import type { Token, Tokens } from 'marked';
import { parseMarkdown } from './parse-markdown.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Replaces the character references that occur in ordinary texts; others stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,6}));/g, (all, decimal, hex, name: string) => {
    if (name) return named[name] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : all;
  });

/** Returns the text of inline tokens without their marks. A picture is its description. */
export const plainInline = (tokens: readonly Token[], decode = decodeEntities): string =>
  tokens
    .map((token) => {
      const { type, raw, text, tokens: nested } = token as Tokens.Generic;
      if (type === 'br' || /^<br\s*\/?>$/i.test(raw)) return '\n';
      if (type === 'checkbox') return '';
      if (nested && nested.length > 0) return plainInline(nested, decode);
      return type === 'text' || type === 'image' ? decode(String(text ?? raw)) : String(text ?? raw);
    })
    .join('');

/** Returns the rows of a table as lines with aligned columns. */
export function tableLines({ header, rows }: Tokens.Table): string[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => plainInline(cell.tokens).replace(/\s+/g, ' ')));
  const widths = header.map((_, n) => Math.min(40, Math.max(...cells.map((row) => row[n]?.length ?? 0))));
  const lines = cells.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
  return [lines[0] ?? '', widths.map((width) => '-'.repeat(width)).join('-+-'), ...lines.slice(1)];
}

/** A block without the marks of the blocks around it: its text, and whether it is code. */
export interface PlainBlock {
  kind: 'text' | 'code';
  /** The text without inline marks. */
  text: string;
  raw: string;
}

/** Returns the blocks of a text in order, including those in lists and quotes. Rules and definitions are left out. */
export function plainBlocks(markdown: string, decode = decodeEntities): PlainBlock[] {
  const found: PlainBlock[] = [];
  const visit = (token: Tokens.Generic): void => {
    const { type, raw, tokens = [] } = token;
    if (type === 'space' || type === 'hr' || type === 'def' || type === 'checkbox') return;
    const text = String(token['text'] ?? raw);
    if (type === 'list') for (const item of (token as Tokens.List).items) item.tokens.forEach(visit);
    else if (type === 'blockquote') tokens.forEach(visit);
    else if (type === 'code') found.push({ kind: 'code', text, raw });
    else if (type === 'table')
      for (const row of [(token as Tokens.Table).header, ...(token as Tokens.Table).rows]) {
        found.push({ kind: 'text', text: row.map((cell) => plainInline(cell.tokens, decode)).join(', '), raw });
      }
    else found.push({ kind: 'text', text: tokens.length > 0 ? plainInline(tokens, decode) : text, raw });
  };
  parseMarkdown(markdown).forEach((token) => visit(token as Tokens.Generic));
  return found;
}

/** Returns Markdown as one line of plain text, without its syntax. `decode` replaces character references. */
export const plainText = (markdown: string, decode = decodeEntities): string =>
  plainBlocks(markdown, decode)
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
