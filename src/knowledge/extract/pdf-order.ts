/** Where a piece of text is on the page, in points. */
export interface Piece {
  text: string;
  /** The texts of its glyphs, each in reading order, and their left and right edges; none for a space. */
  glyphs: readonly string[];
  edges: readonly number[];
  x: number;
  y: number;
  width: number;
  height: number;
  hasEnd: boolean;
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Arabic digits and marks are within the ranges above but have no direction of their own. */
const digit = /[\d\u0660-\u0669\u06f0-\u06f9]/;
const leftToRight = /[^\P{L}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** Whether a text contains letters that are written from right to left. */
export const isRightToLeft = (text: string): boolean =>
  rightToLeft.test(text) && !/^[\d\u0660-\u0669\u06f0-\u06f9]*$/.test(text);

/** Direction of a part of a line: `N` is a digit, `-` has none. */
type Direction = 'R' | 'L' | 'N' | '-';

const directionOf = (text: string): Direction => {
  if (digit.test(text)) return 'N';
  if (rightToLeft.test(text) && /[\p{L}\p{M}]/u.test(text)) return 'R';
  return leftToRight.test(text) ? 'L' : '-';
};

/** Distance between two pieces, as a share of the height, from which they are two words. */
const wordGap = 0.1;

/**
 * Joins the pieces of one line to one piece in reading order. They are drawn from left to right, so words written from
 * right to left are turned around, and so is the line if most of its letters are. A glyph stays whole: its text is in
 * reading order.
 * @see https://www.unicode.org/reports/tr9/
 */
export function readingOrder(pieces: readonly Piece[]): Piece {
  const height = Math.max(...pieces.map((piece) => piece.height));
  const letters = lettersOf(pieces).toSorted((a, b) => a.left - b.left);
  const glyphs: string[] = [];
  let end = -Infinity;
  for (const { text, left, right } of letters) {
    if (end > -Infinity && left - end > height * wordGap) glyphs.push(' ');
    glyphs.push(text);
    end = Math.max(end, right);
  }
  const x = letters[0]?.left ?? 0;
  const y = pieces.find((piece) => piece.height > 0)?.y ?? 0;
  const hasEnd = pieces.some((piece) => piece.hasEnd);
  return { text: logical(glyphs), glyphs: [], edges: [], x, y, width: end - x, height, hasEnd };
}

interface Letter {
  /** The glyph with its marks, in reading order. */
  text: string;
  left: number;
  right: number;
}

/**
 * Returns the glyphs of a line. A mark belongs to the letter that is drawn before or after it at its position, or to the
 * nearest one if it is drawn by itself.
 */
function lettersOf(pieces: readonly Piece[]): Letter[] {
  const letters: Letter[] = [];
  const loose: Letter[] = [];
  for (const { glyphs, edges } of pieces) {
    const own: Letter[] = [];
    /** Marks that are drawn before their letter. */
    let held: Letter[] = [];
    for (const [i, text] of glyphs.entries()) {
      const [left = 0, right = 0] = edges.slice(2 * i, 2 * i + 2);
      const last = own.at(-1);
      if (!/^\p{M}+$/u.test(text)) {
        own.push({ text: text + held.map((mark) => mark.text).join(''), left, right });
        held = [];
      } else if (last && left >= last.left && left < last.right) last.text += text;
      else held.unshift({ text, left, right });
    }
    letters.push(...own);
    loose.push(...held);
  }
  for (const { text, left } of loose) {
    const distance = (letter: Letter): number => Math.max(letter.left - left, left - letter.right, 0);
    const [first, ...others] = letters;
    if (first) others.reduce((best, next) => (distance(next) < distance(best) ? next : best), first).text += text;
  }
  return letters;
}

/** Returns the text of glyphs, given from left to right, in reading order. */
function logical(glyphs: readonly string[]): string {
  const directions = glyphs.map(directionOf);
  const count = (wanted: Direction): number => directions.filter((direction) => direction === wanted).length;
  const isTurned = count('R') >= count('L');
  const order = isTurned ? [...glyphs].reverse() : [...glyphs];
  const along = isTurned ? [...directions].reverse() : directions;
  // What runs against the direction of the line, from its first letter or digit to its last, is turned around.
  const isAgainst = (direction: Direction): boolean =>
    isTurned ? direction === 'L' || direction === 'N' : direction === 'R';
  for (let from = 0; from < order.length; from++) {
    if (!isAgainst(along[from] ?? '-')) continue;
    let to = from;
    for (let next = from + 1; next < order.length; next++) {
      const direction = along[next] ?? '-';
      if (isAgainst(direction) && joins(along, order, to, next, isTurned)) to = next;
      else if (direction !== '-' && !isAgainst(direction)) break;
    }
    order.splice(from, to - from + 1, ...order.slice(from, to + 1).reverse());
    from = to;
  }
  // A joiner has no spaces around it.
  return withBrackets(order, isTurned)
    .join('')
    .replace(/ *\u200c[\u200c ]*/g, '\u200c');
}

/** Whether two parts against the direction of the line, with only neutral ones between, are one run. */
function joins(
  along: readonly Direction[],
  order: readonly string[],
  from: number,
  to: number,
  isTurned: boolean,
): boolean {
  const between = order.slice(from + 1, to).join('');
  if (!isTurned || between === '') return true;
  if (along[from] === 'N' && along[to] === 'N') return /^[.,:/+\-−٫٬]$/.test(between);
  return true;
}

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};

/** Mirrors brackets if the first one closes: the glyph was chosen by its shape. */
function withBrackets(order: readonly string[], isTurned: boolean): readonly string[] {
  const first = order.find((glyph) => glyph in mirrored);
  if (!isTurned || first === undefined || !/[)\]}»]/.test(first)) return order;
  return order.map((glyph) => mirrored[glyph] ?? glyph);
}
