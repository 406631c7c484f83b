/** A row of a table in text form. */
export interface CsvRow {
  values: string[];
  /** First and last line in the file, from 1. */
  lines: readonly [first: number, last: number];
  /** Whether a quotation mark has no counterpart. The row is then its first line, with the marks as they are. */
  isBroken: boolean;
}

export interface Dialect {
  /** Null when each line is one value. */
  delimiter: string | null;
  /** How a quoted value contains a quotation mark. */
  escape: '""' | '\\"';
}

/**
 * Yields the rows of a table. Has its own parser, because the usual ones give up the file at the first quotation mark
 * without a counterpart. A quotation mark within a value that does not begin with one is an ordinary character.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function* readRows(text: string, dialect: Dialect, firstLine = 1): Generator<CsvRow> {
  let line = firstLine;
  for (let at = 0; at < text.length;) {
    const { values, end, isBroken } = readRow(text, at, dialect);
    const lineCount = newlinesIn(text, at, end);
    const endsInNewline = text[end - 1] === '\n';
    yield { values, lines: [line, line + lineCount - (endsInNewline ? 1 : 0)], isBroken };
    line += lineCount;
    at = end;
  }
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Reads the row that begins at `from`. `end` is behind its newline. */
function readRow(text: string, from: number, dialect: Dialect): { values: string[]; end: number; isBroken: boolean } {
  const values: string[] = [];
  for (let at = from; ;) {
    const begin = skipBlanks(text, at, dialect.delimiter);
    const quoted = text[begin] === '"' ? readQuoted(text, begin, dialect) : null;
    if (quoted === 'broken') return readPlainLine(text, from, dialect.delimiter);
    const end = quoted ? quoted.end : valueEnd(text, at, dialect.delimiter);
    values.push(quoted ? quoted.value : text.slice(at, end));
    if (text[end] !== dialect.delimiter || dialect.delimiter === null) return { values, end: end + 1, isBroken: false };
    at = end + 1;
  }
}

function readPlainLine(
  text: string,
  from: number,
  delimiter: string | null,
): { values: string[]; end: number; isBroken: boolean } {
  const end = valueEnd(text, from, null);
  const line = text.slice(from, end);
  return { values: delimiter === null ? [line] : line.split(delimiter), end: end + 1, isBroken: delimiter !== null };
}

function skipBlanks(text: string, from: number, delimiter: string | null): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++;
  return at;
}

/** Returns the offset of the next delimiter or newline, or the end of the text. */
function valueEnd(text: string, from: number, delimiter: string | null): number {
  for (let at = from; at < text.length; at++) if (text[at] === delimiter || text[at] === '\n') return at;
  return text.length;
}

/**
 * Reads a quoted value; a single quotation mark inside of it is kept. `broken` when the value does not end, or when such a
 * mark follows a newline: then the first mark belongs to another row.
 */
function readQuoted(text: string, begin: number, dialect: Dialect): { value: string; end: number } | 'broken' {
  const { delimiter, escape } = dialect;
  const newlineAt = text.indexOf('\n', begin);
  const parts: string[] = [];
  let from = begin + 1;
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at)) {
    if (escape === '\\"' && text[at - 1] === '\\' && at > from) {
      parts.push(text.slice(from, at - 1), '"');
      from = ++at;
      continue;
    }
    if (text[at + 1] === '"') {
      parts.push(text.slice(from, at + 1));
      from = at += 2;
      continue;
    }
    const end = skipBlanks(text, at + 1, delimiter);
    if (end >= text.length || text[end] === delimiter || text[end] === '\n') {
      parts.push(text.slice(from, at));
      return { value: parts.join(''), end };
    }
    if (newlineAt >= 0 && newlineAt < at) return 'broken';
    at++;
  }
  return 'broken';
}

const sampleLength = 65_536;
const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Finds the dialect on which most rows of a sample agree. A declared delimiter is kept.
 */
export function dialectOf(text: string, declared: string | null): Dialect {
  const end = text.length > sampleLength ? text.lastIndexOf('\n', sampleLength) + 1 || sampleLength : text.length;
  const sample = text.slice(0, end);
  // A backslash before the mark that ends a value is not an escape.
  const escapes = /\\"(?![,;\t|\n"]|$)/.test(sample) ? (['\\"', '""'] as const) : (['""'] as const);
  const candidates = (declared === null ? delimiters : [declared]).flatMap((delimiter) =>
    escapes.map((escape) => ({ delimiter, escape })),
  );
  let best: { dialect: Dialect; score: number } = { dialect: { delimiter: declared, escape: '""' }, score: 0 };
  for (const dialect of candidates) {
    const score = agreement(sample, dialect);
    if (score > best.score) best = { dialect, score };
  }
  return best.dialect;
}

/**
 * Returns how well the rows of a sample agree on a number of values above one, from 0 to 2: the share of the rows, and one
 * more if the first row agrees. Returns 0 when the delimiter is punctuation of sentences in a table of one column.
 */
function agreement(sample: string, dialect: Dialect): number {
  const rows = [...readRows(sample, dialect)].filter(({ values }) => values.some((value) => value.trim()));
  const counts = new Map<number, number>();
  for (const { values, isBroken } of rows)
    if (!isBroken) counts.set(values.length, (counts.get(values.length) ?? 0) + 1);
  counts.delete(1);
  const [width, count] = [...counts].reduce((top, next) => (next[1] > top[1] ? next : top), [0, 0]);
  const isHeaded = rows[0]?.values.length === width;
  const isProse = !isHeaded && rows.every(({ values }) => values.slice(1).every((value) => /^(?:\s|$)/.test(value)));
  return count === 0 || isProse ? 0 : count / rows.length + (isHeaded ? 1 : 0);
}
