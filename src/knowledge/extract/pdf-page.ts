import { isRightToLeft, type Piece, readingOrder } from './pdf-order.ts';
import type { TextItem } from './pdf-parser.ts';

/** Joins the items of a page to lines, in the order of the file. A vertical gap of more than a line starts a paragraph. */
export function pageText(items: readonly TextItem[]): string {
  let text = '';
  let end: { x: number; y: number } | null = null;
  for (const { text: shown, x, y, width, height, hasEnd } of inReadingOrder(withoutCopies(piecesOf(items)))) {
    if (shown && height > 0) {
      const rise = end ? Math.abs(end.y - y) : 0;
      const isOver = end !== null && rise < height * 0.8 && x < end.x - height * 0.1;
      const accented = isOver ? withAccent(text, shown) : null;
      if (accented !== null) text = accented;
      // Items of different objects, such as a form and its values, have no separator of their own.
      else if (end && !/\s$/.test(text)) text += separator({ rise, gap: x - end.x, height });
      if (rise > height * 1.8 && text.endsWith('\n')) text += '\n';
      end = { x: x + width, y };
      if (accented === null) text += shown;
    } else text += shown;
    if (hasEnd) text += '\n';
  }
  return (
    readable(text)
      .replace(/[ \t]+\n/g, '\n')
      // Joins words that were hyphenated at the end of a line, so that search finds them.
      .replace(/\u00ad\n?|(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Returns the separator between two items with these vertical and horizontal distances. */
function separator({ rise, gap, height }: { rise: number; gap: number; height: number }): string {
  if (rise > height * 0.8) return '\n';
  return gap > height * 0.3 ? ' ' : '';
}

/** Composes letters with their marks, and replaces the forms that letters take within a word by the letters. */
const readable = (text: string): string =>
  text
    .replace(/[\ufb00-\ufdff\ufe70-\ufefc]+/g, (forms) => forms.normalize('NFKC'))
    .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33')
    .normalize('NFC');

/** Converts items to pieces. Marked content with `ActualText` becomes one piece with that text. */
function piecesOf(items: readonly TextItem[]): Piece[] {
  const pieces: Piece[] = [];
  /** Number of open sequences of marked content, and what replaces the outermost one with `ActualText`. */
  let depth = 0;
  let replaced: { depth: number; text: string; from: number } | null = null;
  for (const item of items) {
    if (item.type === 'endMarkedContent') {
      if (replaced?.depth === depth) {
        pieces.push(...merged(pieces.splice(replaced.from), replaced.text, pieces.at(-1)));
        replaced = null;
      }
      depth--;
    } else if (item.type !== undefined) {
      depth++;
      const { actualText: text } = item;
      if (typeof text === 'string' && replaced === null) replaced = { depth, text, from: pieces.length };
    } else {
      // The texts of a dynamic form have no positions.
      const { str = '', glyphs = [], edges = [], transform = [], width = 0, height = 0 } = item;
      const { hasEOL = item.transform === undefined } = item;
      const [x = 0, y = 0] = transform.slice(4);
      pieces.push({ text: str, glyphs, edges, x, y, width, height, hasEnd: hasEOL });
    }
  }
  return pieces;
}

/**
 * Replaces the pieces that are drawn by one with the given text. Spaces and line ends around them stay. A text that
 * replaces nothing, such as a joiner, follows the previous piece.
 */
function merged(pieces: readonly Piece[], text: string, previous: Piece | undefined): Piece[] {
  const isDrawn = ({ text: shown, height }: Piece): boolean => height > 0 && shown.trim() !== '';
  const from = pieces.findIndex(isDrawn);
  const to = pieces.findLastIndex(isDrawn);
  const [first, last] = [pieces[from], pieces[to]];
  if (!first || !last) {
    const { x: left = 0, y = 0, width = 0, height = 0 } = previous ?? {};
    const x = left + width;
    return [...pieces, { text, glyphs: [text], edges: [x, x], x, y, width: 0, height, hasEnd: false }];
  }
  const line = pieces.filter((piece) => isDrawn(piece) && Math.abs(piece.y - first.y) < first.height / 2);
  const x = Math.min(...line.map((piece) => piece.x));
  const right = Math.max(...line.map((piece) => piece.x + piece.width));
  const spaced = `${/^\s/.test(first.text) ? ' ' : ''}${text}${/\s$/.test(last.text) ? ' ' : ''}`;
  const piece = { ...first, text: spaced, glyphs: [text], edges: [x, right], x, width: right - x, hasEnd: last.hasEnd };
  return [...pieces.slice(0, from), piece, ...pieces.slice(to + 1)];
}

/** Removes pieces that are drawn again at the same position, for example to look bold or to have a shadow. */
function withoutCopies(pieces: readonly Piece[]): Piece[] {
  const drawn = new Map<string, Piece[]>();
  return pieces.flatMap((piece) => {
    if (piece.text.trim().length < 2) return [piece];
    const equal = drawn.get(piece.text) ?? [];
    const tolerance = piece.height * 0.15;
    if (equal.some(({ x, y }) => Math.abs(x - piece.x) < tolerance && Math.abs(y - piece.y) < tolerance))
      return piece.hasEnd ? [{ ...piece, text: '', height: 0 }] : [];
    drawn.set(piece.text, [...equal.slice(-8), piece]);
    return [piece];
  });
}

/** Puts the pieces of lines with letters written from right to left in reading order, as one piece a line. */
function inReadingOrder(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(({ text }) => isRightToLeft(text))) return [...pieces];
  const ordered: Piece[] = [];
  let line: Piece[] = [];
  const flush = (): void => {
    ordered.push(...(line.some(({ text }) => isRightToLeft(text)) ? [readingOrder(line)] : line));
    line = [];
  };
  for (const piece of pieces) {
    const known = line.find(({ height }) => height > 0);
    if (known && piece.height > 0 && Math.abs(piece.y - known.y) > known.height / 2) flush();
    line.push(piece);
    if (piece.hasEnd) flush();
  }
  flush();
  return ordered;
}

/** Accents as characters of their own, with the combining characters that they stand for. */
const accents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '\u00b4': '\u0301',
  '^': '\u0302',
  '\u02c6': '\u0302',
  '~': '\u0303',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u02c9': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u00a8': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '\u00b8': '\u0327',
  '\u02db': '\u0328',
};

/**
 * Joins a text to one that is drawn over its end, if an accent and a letter meet there: LaTeX draws the accent first or
 * last. Returns null otherwise.
 */
function withAccent(text: string, next: string): string | null {
  const before = accents[text.at(-1) ?? ''];
  const letter = next[0] ?? '';
  if (before && /\p{L}/u.test(letter)) return text.slice(0, -1) + composed(letter, before) + next.slice(1);
  const after = accents[letter];
  const last = text.at(-1) ?? '';
  return after && /\p{L}/u.test(last) ? text.slice(0, -1) + composed(last, after) + next.slice(1) : null;
}

const dotless: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };
const composed = (letter: string, accent: string): string => ((dotless[letter] ?? letter) + accent).normalize('NFC');
