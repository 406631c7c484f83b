import { writeGreeting } from '../src/conversations/greetings.ts';
import type { Job } from './job.ts';

/** The first message of a conversation whose agent has none of its own. After a minute it would come too late. */
export const writeConversationGreeting: Job<{ conversationId: string }> = {
  kind: 'conversation.greeting',
  concurrency: 8,
  timeoutMs: 30_000,
  retryDelaysSeconds: [2, 10, 30],
  handle: (ctx, { conversationId }, run) =>
    writeGreeting(ctx, conversationId, run.signal, (inner) => run.complete(inner)),
};
