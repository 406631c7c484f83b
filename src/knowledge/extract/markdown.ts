import type { ExtractedText } from './extracted-text.ts';

const heading = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * A line that a following line of `=` or `-` turns into a heading: a paragraph of one line, not a list, quote or table.
 */
const underlined = /^ {0,3}(?!\d+[.)]\s)[^\s#>|*+-].*$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** Front matter is metadata, and its comments look like headings. */
const frontMatter = /^---\n(?=\S)[^]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Returns Markdown unchanged. The location of a line is the headings above it. */
export function markdownText(text: string): ExtractedText {
  const places: { offset: number; place: string }[] = [];
  const path: string[] = [];
  const [before = ''] = frontMatter.exec(text) ?? [];
  const lines = text.slice(before.length).split('\n');
  let open: string | null = null;
  let offset = before.length;
  for (const [i, line] of lines.entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark && (open === null || (mark.startsWith(open) && line.trim() === mark))) open = open === null ? mark : null;
    const found = open === null && !mark ? headingAt(lines, i) : null;
    if (found) {
      path.length = Math.min(path.length, found.level - 1);
      path[found.level - 1] = found.title.slice(0, 200);
      places.push({ offset, place: path.filter(Boolean).join(' > ') });
    }
    offset += line.length + 1;
  }
  return { text, places };
}

function headingAt(lines: readonly string[], i: number): { level: number; title: string } | null {
  const [line = '', below = ''] = lines.slice(i, i + 2);
  const [, hashes = '', title = ''] = heading.exec(line) ?? [];
  if (title) return { level: hashes.length, title };
  if (lines[i - 1]?.trim() || !underlined.test(line)) return null;
  const [, rule] = underline.exec(below) ?? [];
  return rule ? { level: rule.startsWith('=') ? 1 : 2, title: line.trim() } : null;
}
