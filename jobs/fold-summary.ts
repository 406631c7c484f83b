import { foldSummary } from '../src/conversations/summaries.ts';
import type { Job } from './job.ts';

/** Keeps long conversations in budget: what lies beyond the window is summed up. */
export const foldConversationSummary: Job<{ conversationId: string }> = {
  kind: 'conversation.summary',
  handle: (ctx, { conversationId }, { signal }) => foldSummary(ctx, conversationId, signal),
};
