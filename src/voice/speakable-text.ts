import { splitFences } from '../core/markdown-fences.ts';

/** Words instead of Markdown: what a person would read aloud of a message. The text itself when nothing else is left. */
export function speakableText(markdown: string): string {
  // Lengths are bounded, because an open mark would be looked for to the end of the line, again and again.
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

/** Nobody wants code read aloud; a fence that is never closed is taken for text. */
const withoutCode = (markdown: string): string =>
  splitFences(markdown)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.isClosed ? '' : piece.source))
    .join('\n');
