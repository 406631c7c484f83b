import { writeTitle } from '../src/conversations/titles.ts';
import type { Job } from './job.ts';

/** A title for a conversation after its first exchange. Given up quietly: the conversation is as good without one. */
export const writeConversationTitle: Job<{ conversationId: string }> = {
  kind: 'conversation.title',
  concurrency: 8,
  timeoutMs: 60_000,
  handle: (ctx, { conversationId }, { signal }) => writeTitle(ctx, conversationId, signal),
};
