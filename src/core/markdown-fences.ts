/** A run of lines outside fences, or a fenced block without its fences. */
export type MarkdownPiece =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string; language: string; isClosed: boolean; source: string };

const mark = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Splits Markdown into pieces, in order. Parses line by line, because regular expressions over a whole text are prone
 * to ReDoS.
 */
export function splitFences(markdown: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let lines: string[] = [];
  let open: { mark: string; line: string } | null = null;
  const endText = () => {
    if (lines.length > 0) pieces.push({ kind: 'text', text: lines.join('\n') });
    lines = [];
  };
  const endCode = (opening: { mark: string; line: string }, closing: string | null) => {
    const source = [opening.line, ...lines, ...(closing === null ? [] : [closing])].join('\n');
    const info = opening.line.trimStart().slice(opening.mark.length).trim();
    const language = /^[\w+#-]{1,30}/.exec(info)?.[0] ?? '';
    pieces.push({ kind: 'code', text: lines.join('\n'), language, isClosed: closing !== null, source });
    lines = [];
    open = null;
  };
  for (const line of markdown.split('\n')) {
    const found: string | undefined = mark.exec(line)?.[1];
    const rest = found === undefined ? '' : line.trimStart().slice(found.length);
    if (open !== null && found?.startsWith(open.mark) && rest.trim() === '') endCode(open, line);
    else if (open === null && found !== undefined && !(found.startsWith('`') && rest.includes('`'))) {
      endText();
      open = { mark: found, line };
    } else lines.push(line);
  }
  if (open !== null) endCode(open, null);
  else endText();
  return pieces;
}
