import { parse } from 'csv-parse/sync';
import { DocumentFailure } from '../document-failure.ts';
import { type ExtractedText, joinParts } from './extracted-text.ts';

/** Converts each row to one line with its column names, so that a row is meaningful in any chunk. */
export function csvText(text: string): ExtractedText {
  const rows = parseRows(text);
  const headerAt = rows.findIndex((row) => row.some((value) => value.trim()));
  const header = rows[headerAt] ?? [];
  const table = joinParts(labelledRows(rows, headerAt, header), '\n');
  return table.text ? table : joinParts([{ text: header.join(', '), place: placeOf(headerAt) }], '\n');
}

function* labelledRows(
  rows: readonly string[][],
  headerAt: number,
  header: readonly string[],
): Generator<{ text: string; place: string }> {
  for (let i = headerAt + 1; i < rows.length; i++) {
    const values = rows[i]?.map((value, column) =>
      value.trim() ? `${header[column]?.trim() || `column ${column + 1}`}: ${value.trim()}` : '',
    );
    const text = values?.filter(Boolean).join('; ');
    if (text) yield { text, place: placeOf(i) };
  }
}

/** Numbers rows as spreadsheets do: from 1, including the header and empty rows. */
const placeOf = (i: number): string => `row ${i + 1}`;

/** Optional line before the header in which spreadsheets declare the delimiter. */
const delimiterLine = /^sep=(.)\n/;

function parseRows(text: string): string[][] {
  const [line = '', given] = delimiterLine.exec(text) ?? [];
  const table = text.slice(line.length);
  try {
    return parse(table, {
      bom: true,
      delimiter: given ?? delimiterOf(table),
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (error) {
    throw new DocumentFailure('unreadable', { cause: error });
  }
}

/** Returns the most frequent delimiter of the header, ignoring quoted values. A tie is decided by the first lines. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 4_096)
    .replace(/(?<=^|[,;\t|\n])"(?:[^"]|"")*(?:"|$)/g, '')
    .split('\n');
  const count = (delimiter: string, among: readonly string[]): number => among.join('').split(delimiter).length - 1;
  const score = (delimiter: string): number =>
    count(delimiter, lines.slice(0, 1)) * 4_096 + count(delimiter, lines.slice(0, 5));
  return [',', ';', '\t', '|'].reduce((best, next) => (score(next) > score(best) ? next : best));
}
