import type { ExtractedText } from './extracted-text.ts';

const heading = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Markdown as it is; the headings above a line are its place. */
export function markdownText(text: string): ExtractedText {
  const places: { offset: number; place: string }[] = [];
  const path: string[] = [];
  let open: string | null = null;
  let offset = 0;
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (mark && (open === null || (mark.startsWith(open) && line.trim() === mark))) open = open === null ? mark : null;
    const [, hashes = '', title = ''] = (open === null && !mark && heading.exec(line)) || [];
    if (title) {
      path.length = Math.min(path.length, hashes.length - 1);
      path[hashes.length - 1] = title.slice(0, 200);
      places.push({ offset, place: path.filter(Boolean).join(' > ') });
    }
    offset += line.length + 1;
  }
  return { text, places };
}
