import { parse } from 'csv-parse/sync';
import { DocumentFailure } from '../document-failure.ts';
import { type ExtractedText, joinParts } from './extracted-text.ts';

const maxRecordLength = 1_000_000;
const rowsAPlace = 50;

/** Each row as one line that repeats its header, so that a row means something wherever it is cut out. */
export function csvText(text: string): ExtractedText {
  const rows = parseRows(text);
  const [header = [], ...records] = rows;
  if (records.length === 0) return joinParts(rows.map((row) => ({ text: row.join(', '), place: 'row 1' })));
  const lines = records.map((record) =>
    record
      .map((value, i) => (value.trim() ? `${header[i]?.trim() || `column ${i + 1}`}: ${value.trim()}` : ''))
      .filter(Boolean)
      .join('; '),
  );
  const parts = [];
  for (let i = 0; i < lines.length; i += rowsAPlace) {
    const part = lines.slice(i, i + rowsAPlace).filter(Boolean);
    // The header is row 1, as spreadsheets count.
    if (part.length > 0) parts.push({ text: part.join('\n'), place: `rows ${i + 2}–${i + 1 + part.length}` });
  }
  return joinParts(parts);
}

/** Spreadsheets may name the delimiter in a line of its own before the header. */
const delimiterLine = /^sep=(.)\n/;

function parseRows(text: string): string[][] {
  const [line = '', given] = delimiterLine.exec(text) ?? [];
  const table = text.slice(line.length);
  try {
    return parse(table, {
      bom: true,
      delimiter: given ?? delimiterOf(table),
      max_record_size: maxRecordLength,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw new DocumentFailure('unreadable', { cause: error });
  }
}

/** The one that the header has most of, and of those as frequent the one that the first lines have most of, quotes left out. */
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
