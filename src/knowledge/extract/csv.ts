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

function parseRows(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      max_record_size: maxRecordLength,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw new DocumentFailure('unreadable', { cause: error });
  }
}

/** The delimiter that the first lines have most of. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, 4_096).split('\n').slice(0, 5).join('\n');
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: sample.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}
