import { z } from 'zod';
import { credentialIn } from '../../core/http/bearer.ts';
import { describe } from '../../core/input.ts';

const id = z.string().min(1).max(64);
const token = z.string().min(1).max(4_200).transform(credentialIn);

const frames = z.discriminatedUnion('op', [
  z.object({ op: z.literal('connect'), token }),
  z.object({ op: z.literal('refresh'), token }),
  z.object({
    op: z.literal('subscribe'),
    id,
    channel: z.string().min(1).max(200),
    after: z.string().max(200).nullish(),
  }),
  z.object({ op: z.literal('unsubscribe'), id }),
  z.object({ op: z.literal('voice.start'), id, format: z.enum(['webm', 'pcm16']) }),
  z.object({ op: z.literal('voice.commit'), id }),
  z.object({ op: z.literal('voice.cancel'), id }),
  z.object({ op: z.literal('typing'), id }),
  z.object({ op: z.literal('presence'), id, state: z.enum(['active', 'away']) }),
  z.object({ op: z.literal('ping') }),
]);

export type ClientFrame = z.output<typeof frames>;

export const maxFrameBytes = 16_384;

/** Parses a client's message. Returns a frame, a description of the problem, or null if it is not a JSON object. */
export function parseFrame(text: string): ClientFrame | { id: string | undefined; problem: string } | null {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const result = frames.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const named = 'id' in value && typeof value.id === 'string' ? value.id.slice(0, 64) : undefined;
  return { id: named, problem: issue ? problemOf(issue) : 'The frame is not valid.' };
}

function problemOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.');
  return field === 'op' ? 'op: there is no such operation' : `${field}: ${describe(issue).message}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
