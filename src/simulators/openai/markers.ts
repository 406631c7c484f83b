import type { Behaviour } from './script.ts';

/**
 * Faults that markers in a message request, `[[name]]` or `[[name:number]]`:
 *
 * | marker | effect |
 * | --- | --- |
 * | `[[slow]]`, `[[slow:800]]` | 300 (800) ms before each word |
 * | `[[wait:5000]]` | 5 s before the first word |
 * | `[[fail]]`, `[[fail:429]]` | HTTP 500 (429) |
 * | `[[hang]]`, `[[hang:5]]` | silence before the headers (after 5 words) |
 * | `[[drop]]`, `[[drop:5]]` | the connection breaks before the headers (after 5 words) |
 * | `[[end:5]]` | the stream ends after 5 words without a finish_reason |
 * | `[[error:5]]` | an error object after 5 words |
 * | `[[filter:5]]` | the content filter stops it after 5 words |
 * | `[[think:5]]` | 5 words of thoughts in a tag before the reply |
 * | `[[blank]]` | a reply of blanks |
 * | `[[long:5000]]` | a reply of 5,000 words |
 */
export function markedBehaviour(text: string): Behaviour | undefined {
  const match = /\[\[(slow|wait|fail|hang|drop|end|error|filter|think|blank|long)(?::(\d{1,6}))?\]\]/.exec(text);
  if (!match) return undefined;
  const number = match[2] === undefined ? undefined : Number(match[2]);
  switch (match[1]) {
    case 'slow':
      return { deltaDelayMs: number ?? 300 };
    case 'wait':
      return { firstDeltaDelayMs: number ?? 5_000 };
    case 'fail':
      return { status: number !== undefined && number >= 400 && number <= 599 ? number : 500 };
    case 'filter':
      return { deltas: words(number ?? 5), finishReason: 'content_filter' };
    case 'think':
      return { deltas: ['<think>', ...words(number ?? 5), '</think>\n\n', 'That', ' is', ' my', ' reply.'] };
    case 'blank':
      return { deltas: [' ', '\n', '\t'] };
    case 'long':
      return { deltas: words(number ?? 5_000) };
    default:
      return {
        fault: {
          kind: match[1] as 'hang' | 'drop' | 'end' | 'error',
          after: number ?? (match[1] === 'hang' || match[1] === 'drop' ? 'before_headers' : 5),
        },
      };
  }
}

const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i ? ' ' : ''}word${i + 1}`);
