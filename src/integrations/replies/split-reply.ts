import type { Mark } from './dialects.ts';

/** A piece of a message that is not divided: a word, white space, a line break or a link, in the platform's markup. */
export interface Atom {
  text: string;
  /** Marks around it, outermost first. The same object is the same mark. */
  marks: readonly Mark[];
}

/** How good a place to divide is, from the middle of a word to the end of a paragraph. */
type Quality = 0 | 1 | 2 | 3 | 4;

/**
 * Joins pieces to messages of at most `limit` UTF-16 code units, divided between paragraphs if possible, otherwise
 * between lines, sentences, words or characters. Marks are closed at the end of a message and opened again in the next.
 * With `hasNarrowMarks`, a zero-width space separates marks from letters.
 */
export function splitAtoms(atoms: readonly Atom[], limit: number, hasNarrowMarks = false): string[] {
  const parts: string[] = [];
  let from = skipSpace(atoms, 0);
  while (from < atoms.length) {
    const to = endOfPart(atoms, from, limit, hasNarrowMarks);
    const part = compose(trimmed(atoms.slice(from, to)), hasNarrowMarks);
    if (part.trim() !== '') parts.push(part);
    from = skipSpace(atoms, to);
  }
  return parts;
}

/** Returns where the part that begins at `from` ends. The part has at least one atom. */
function endOfPart(atoms: readonly Atom[], from: number, limit: number, hasNarrowMarks: boolean): number {
  const writer = createWriter(hasNarrowMarks);
  const best: (number | undefined)[] = [];
  for (let at = from; at < atoms.length; at++) {
    const atom = atoms[at] as Atom;
    if (at > from && writer.text.length > limit / 3) best[qualityBefore(atoms, at)] = at;
    writer.add(atom);
    if (writer.text.length + writer.closing().length > limit) {
      return best.findLast((found) => found !== undefined) ?? Math.max(at, from + 1);
    }
  }
  return atoms.length;
}

function qualityBefore(atoms: readonly Atom[], at: number): Quality {
  const before = atoms[at - 1]?.text ?? '';
  const earlier = atoms[at - 2]?.text ?? '';
  if (before === '\n') return earlier === '\n' && !isInBlock(atoms[at - 1]) ? 4 : 3;
  if (before.endsWith('。')) return 2;
  if (before.trim() === '') return /[.!?]$/.test(earlier) ? 2 : 1;
  return 0;
}

const isInBlock = (atom: Atom | undefined): boolean => atom?.marks.some(({ kind }) => kind === 'block') ?? false;
const isSpace = (atom: Atom | undefined): boolean =>
  atom !== undefined && (isInBlock(atom) ? atom.text === '\n' : atom.text.trim() === '');

function skipSpace(atoms: readonly Atom[], from: number): number {
  let at = from;
  while (isSpace(atoms[at])) at++;
  return at;
}

function trimmed(atoms: readonly Atom[]): readonly Atom[] {
  let end = atoms.length;
  while (isSpace(atoms[end - 1])) end--;
  return atoms.slice(0, end);
}

function compose(atoms: readonly Atom[], hasNarrowMarks: boolean): string {
  const writer = createWriter(hasNarrowMarks);
  for (const atom of atoms) writer.add(atom);
  return writer.text + writer.closing();
}

/** A character next to which a narrow mark is recognized. */
const boundary = /^[\s!-/:-@[-`{-~\u200b]/;

function createWriter(hasNarrowMarks: boolean) {
  let text = '';
  let open: readonly Mark[] = [];
  const isNarrow = ({ open: sign }: Mark) => hasNarrowMarks && /^[*_~`]$/.test(sign);
  const closingOf = (marks: readonly Mark[]) =>
    marks
      .toReversed()
      .map(({ close }) => close)
      .join('');
  return {
    get text() {
      return text;
    },
    closing: () => closingOf(open),
    add(atom: Atom) {
      const different = open.findIndex((mark, n) => mark !== atom.marks[n]);
      const kept = different < 0 ? open.length : different;
      const closed = open.slice(kept);
      const opened = atom.marks.slice(kept);
      const hasClosed = closed.some(isNarrow);
      const isSeparate = opened.some(isNarrow)
        ? !hasClosed && (text === '' || boundary.test(text.at(-1) ?? ''))
        : !hasClosed || boundary.test(atom.text);
      text += closingOf(closed) + (isSeparate ? '' : '\u200b') + opened.map((mark) => mark.open).join('') + atom.text;
      if (atom.text === '\n') text += atom.marks.map(({ linePrefix = '' }) => linePrefix).join('');
      open = atom.marks;
    },
  };
}
