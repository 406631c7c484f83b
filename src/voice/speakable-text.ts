import { type PlainBlock, plainBlocks } from '../core/markdown/plain-text.ts';

/** Converts Markdown to plain text for reading aloud, without code. Returns the Markdown itself if nothing else remains. */
export function speakableText(markdown: string): string {
  const spoken = plainBlocks(markdown)
    .filter((block) => block.kind === 'text' || !isClosedFence(block))
    .map(({ kind, text, raw }) => (kind === 'text' ? text : raw))
    .join('\n\n')
    .trim();
  return spoken || markdown.trim();
}

/** A fence that is not closed may not be meant as code, so its text is read. */
function isClosedFence({ raw }: PlainBlock): boolean {
  const lines = raw.trim().split('\n');
  const [mark] = /^(?:`{3,}|~{3,})/.exec(lines[0] ?? '') ?? [];
  return mark !== undefined && lines.length > 1 && (lines.at(-1) ?? '').trim().startsWith(mark);
}
