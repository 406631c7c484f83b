import { isOpen, type SearchQuery, shortened, type Stems, wantedTerms } from './search-query.ts';
import { type Token, tokensOf } from './search-text.ts';

/** Words that a term matches. */
export interface Pattern {
  tokens: Token[];
  /** Whether the last word is a prefix. */
  open: boolean;
}

/** Returns the patterns of a query, which are highlighted in texts. */
export const highlightPatterns = (query: SearchQuery, stems: Stems): Pattern[] =>
  query.alternatives.flatMap((alternative) =>
    wantedTerms(alternative, stems).map((term) => ({ tokens: term.tokens, open: isOpen(term) })),
  );

interface Span {
  start: number;
  end: number;
}

const fragmentLength = 240;
const leadLength = 60;

/**
 * Returns an excerpt of the text around the first match as escaped HTML, with `<mark>` around each matched word.
 * `inflections` are words of the text that match by their stems. Without a match the excerpt is the beginning of the
 * text.
 */
export function highlight(text: string, patterns: readonly Pattern[], inflections: readonly string[]): string {
  const same = new Set(inflections);
  const tokens: Token[] = [];
  const spans: Span[] = [];
  let piece: Span | null = null;
  for (const token of tokensOf(text)) {
    if (piece && token.start >= piece.end) break;
    tokens.push(token);
    const length = longestMatch(tokens, patterns, same);
    if (length === 0) continue;
    const matched = tokens.slice(-length);
    piece ??= pieceAround(text, tokens, matched[0]?.start ?? 0);
    for (const { start, end } of matched) spans.push({ start, end });
  }
  return mark(text, piece ?? pieceAround(text, tokens, 0), merged(spans));
}

/** Returns the number of words of the longest term that ends with the last token; 0 when there is none. */
function longestMatch(tokens: readonly Token[], patterns: readonly Pattern[], same: ReadonlySet<string>): number {
  let longest = 0;
  for (const pattern of patterns)
    if (pattern.tokens.length > longest && endsWith(tokens, pattern, same)) longest = pattern.tokens.length;
  return longest;
}

function endsWith(tokens: readonly Token[], pattern: Pattern, same: ReadonlySet<string>): boolean {
  const { length } = pattern.tokens;
  if (length > tokens.length) return false;
  return pattern.tokens.every((wanted, i) => {
    const found = tokens[tokens.length - length + i];
    if (!found || found.unspaced !== wanted.unspaced) return false;
    if (found.unspaced)
      return (
        found.word === wanted.word && (i === 0 || !wanted.joined || !pattern.tokens[i - 1]?.unspaced || found.joined)
      );
    const word = shortened(found.word);
    if (word === shortened(wanted.word)) return true;
    if (i < length - 1 || !pattern.open) return false;
    return word.startsWith(shortened(wanted.word)) || (length === 1 && same.has(word));
  });
}

function pieceAround(text: string, tokens: readonly Token[], matchStart: number): Span {
  const from = matchStart - leadLength;
  const start = from <= 0 ? 0 : (tokens.find((token) => token.start >= from)?.start ?? matchStart);
  return { start, end: wholeCharacters(text, start + fragmentLength) };
}

const wholeCharacters = (text: string, end: number): number =>
  end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : Math.min(end, text.length);

/** Sorts spans and merges those that touch. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

function mark(text: string, piece: Span, spans: readonly Span[]): string {
  let html = '';
  let at = piece.start;
  for (const { start, end } of spans) {
    const from = Math.max(start, at);
    const to = Math.min(end, piece.end);
    if (from >= to) continue;
    html += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`;
    at = to;
  }
  return html + escapeHtml(text.slice(at, piece.end));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
