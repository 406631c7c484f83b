import { splitFences } from '../core/markdown-fences.ts';

/** Converts Markdown to plain text for reading aloud. Returns the Markdown itself if nothing else remains. */
export function speakableText(markdown: string): string {
  // Lengths are bounded: for an unclosed mark, each match would otherwise scan the rest of the line.
  const spoken = withoutCode(markdown)
    .replace(/!\[([^[\]\n]{0,500})\]\([^()\n]{0,2048}\)/g, '$1')
    .replace(/\[([^[\]\n]{1,500})\]\([^()\n]{0,2048}\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, '')
    .replace(/(\*\*|__|~~)(?=\S)([^\n]{0,1000}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_\n]{0,1000}?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`([^`\n]{1,1000})`/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return spoken || markdown.trim();
}

/** Removes code blocks. An unclosed fence is kept as text. */
const withoutCode = (markdown: string): string =>
  splitFences(markdown)
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      return piece.isClosed ? '' : piece.source;
    })
    .join('\n');
