import type { ExtractedText, Place, Records, Table } from './extracted-text.ts';
import type { Reading } from './reading.ts';

const heading = /^ {0,3}(#{1,6})[ \t]+([^\n]+?)[ \t]*#*[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A line that a following line of `=` or `-` turns into a heading: a paragraph of one line, not a list, quote or table.
 */
const underlined = /^ {0,3}(?!\d+[.)]\s)[^\s#>|*+-][^\n]*$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** Front matter is metadata, and its comments look like headings. */
const frontMatter = /^---\n(?=\S)[^]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Returns Markdown unchanged. The location of a line is the headings above it. A row of a table is a record, and each chunk
 * with rows repeats the header of the table.
 */
export function markdownText(text: string, reading: Reading): ExtractedText {
  const places: Place[] = [];
  const path: string[] = [];
  const tables: Table[] = [];
  const records: Records = { starts: [], ends: [] };
  const [before = ''] = frontMatter.exec(text) ?? [];
  const lines = text.slice(before.length).split('\n');
  let open: string | null = null;
  let table: Table | null = null;
  let offset = before.length;
  for (const [i, line] of lines.entries()) {
    const next = offset + line.length + 1;
    const mark = fence.exec(line)?.[1];
    if (mark && (open === null || (mark.startsWith(open) && line.trim() === mark))) open = open === null ? mark : null;
    const found = open === null && !mark ? headingAt(lines, i) : null;
    if (found) {
      path.length = Math.min(path.length, found.level - 1);
      path[found.level - 1] = found.title.slice(0, 200);
      places.push({ offset, place: path.filter(Boolean).join(' > ') });
    }
    if (open !== null || mark || !line.trim() || found) table = null;
    else if (table) {
      table.end = Math.min(next, text.length);
      records.starts.push(offset);
      records.ends.push(table.end);
    } else if (isDelimiterRow(lines[i - 1], line)) {
      table = { start: next, end: next, header: `${lines[i - 1]}\n${line}\n` };
      tables.push(table);
    }
    offset = next;
  }
  return { text, places, isByLine: true, records, tables, reading };
}

/** Whether a line below a header makes both the beginning of a table. @see https://github.github.com/gfm/#tables-extension- */
const isDelimiterRow = (header: string | undefined, line: string): boolean =>
  header !== undefined && header.includes('|') && line.includes('|') && /^[ \t>]*\|?[ \t]*:?-+:?[-:| \t]*$/.test(line);

function headingAt(lines: readonly string[], i: number): { level: number; title: string } | null {
  const [line = '', below = ''] = lines.slice(i, i + 2);
  const [, hashes = '', title = ''] = heading.exec(line) ?? [];
  if (title) return { level: hashes.length, title };
  if (lines[i - 1]?.trim() || !underlined.test(line)) return null;
  const [, rule] = underline.exec(below) ?? [];
  return rule ? { level: rule.startsWith('=') ? 1 : 2, title: line.trim() } : null;
}
