import { type CsvRow, dialectOf, readRows } from './csv-rows.ts';
import { withoutEmbeddedFiles } from './embedded-files.ts';
import { createTextBuilder, type ExtractedText } from './extracted-text.ts';
import { addNote, type Reading } from './reading.ts';

/**
 * Converts each row of a table to one line with its column names, so that a row is meaningful in any chunk. The header is
 * the first row with as many values as most rows; rows above it, such as a title, are kept as they are.
 * @param delimiter null when it has to be found
 */
export function csvText(text: string, reading: Reading, delimiter: string | null = null): ExtractedText {
  const table = text.replace(/^\uFEFF/, '');
  const [line = '', declared = delimiter] = delimiterLine.exec(table) ?? [];
  const rows = [...readRows(table.slice(line.length), dialectOf(table.slice(line.length), declared), line ? 2 : 1)];
  const width = usualWidth(rows);
  const headerAt = headerOf(rows, width);
  const header = rows[headerAt]?.values ?? [];
  const builder = createTextBuilder('\n');
  for (const [i, row] of rows.entries()) {
    const place = { place: `row ${i + 1}`, row: i + 1, lines: row.lines };
    if (row.isBroken) addNote(reading, 'rows_unreadable', `row ${i + 1} (line ${row.lines[0]})`);
    const values = row.values.map((value) => withoutEmbeddedFiles(value.trim(), reading));
    const isPlain = i < headerAt || row.isBroken || isComment(row, width);
    // Without rows below it, the header is all that there is.
    if (i === headerAt && rows.slice(i + 1).some(({ values: others }) => others.some((value) => value.trim())))
      continue;
    const text = (
      isPlain || i === headerAt ? values : values.map((value, column) => labelled(value, header[column], column))
    )
      .filter(Boolean)
      .join(isPlain || i === headerAt ? ', ' : '; ');
    if (text) builder.add(text, place);
  }
  return builder.end(reading);
}

const labelled = (value: string, name: string | undefined, column: number): string =>
  value && `${name?.trim() || `column ${column + 1}`}: ${value}`;

/** Optional line before the header in which spreadsheets declare the delimiter. */
const delimiterLine = /^sep=([^\n])\n/;

/** Returns the number of values that most rows have; of two equally frequent ones the larger. */
function usualWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) {
    if (isFilled(row) && !row.isBroken) counts.set(row.values.length, (counts.get(row.values.length) ?? 0) + 1);
  }
  return [...counts].reduce(
    (best, next) => (next[1] > best[1] || (next[1] === best[1] && next[0] > best[0]) ? next : best),
    [1, 0],
  )[0];
}

const isFilled = ({ values }: CsvRow): boolean => values.some((value) => value.trim());

/** A title that a spreadsheet has padded to the usual width is not a header. */
function headerOf(rows: readonly CsvRow[], width: number): number {
  const isWide = (row: CsvRow): boolean => row.values.length === width && isFilled(row) && !isComment(row, width);
  const isNamed = (row: CsvRow): boolean => row.values.filter((value) => value.trim()).length > width / 2;
  const named = rows.findIndex((row) => isWide(row) && isNamed(row));
  return named >= 0 ? named : rows.findIndex(isWide);
}

const isComment = ({ values }: CsvRow, width: number): boolean =>
  values[0]?.startsWith('#') === true && values.length !== width;
