import { isOfAccount } from '../../core/database/of-account.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { isKept } from '../deleted.ts';
import { lockConversation } from '../lock-conversation.ts';
import { sendAppend } from '../messages/append-message.ts';
import { findAgentGreeting, generateAgentGreeting, type GreetingAgent } from './agent-greetings.ts';

const firstTryMs = 1_000;
const nextTryMs = 500;

/**
 * Enqueues the greeting of a new conversation. The delay is short enough for the user to see it, and long enough for
 * the user to write first.
 */
export const requestGreeting = (tx: Ctx, conversationId: string, delayMs = firstTryMs): Promise<void> =>
  enqueueTask(tx, 'conversation.greeting', { conversationId }, { delayMs, key: conversationId });

const readUngreeted = {
  name: 'greeting_ungreeted',
  text: `
    select c.user_id as "userId", a.id, a.name, a.model, a.instructions
    from conversations c join agents a on a.id = c.agent_id
    where c.id = $1 and ${isKept('c')} and not exists (
      select 1 from messages m where m.conversation_id = c.id and ${isOfAccount('m.user_id', 'c.user_id')})`,
};

type Ungreeted = GreetingAgent & { userId: string };

/**
 * Stores the agent's generated greeting as the first message of a conversation, unless it already has messages. It is
 * stored exactly once: the task completes in the same transaction.
 * @throws what the model throws
 */
export async function writeGreeting(ctx: Ctx, conversationId: string, run: TaskRun): Promise<void> {
  const ungreeted = await findUngreeted(ctx, conversationId);
  if (!ungreeted) return;
  const content =
    (await findAgentGreeting(ctx, ungreeted)) ??
    (await generateAgentGreeting(ctx, ungreeted, ungreeted.userId, run.signal));
  // The task is running, so enqueueing it again makes it run once more.
  if (content === null) return requestGreeting(ctx, conversationId, nextTryMs);
  await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, conversationId);
    const stillUngreeted = await findUngreeted(tx, conversationId);
    if (stillUngreeted) {
      const { userId, id: agentId } = stillUngreeted;
      await sendAppend(tx, { conversationId, userId, agentId, role: 'assistant', content });
    }
    await run.complete(tx);
  });
}

async function findUngreeted(ctx: Ctx, conversationId: string): Promise<Ungreeted | undefined> {
  const [row] = await ctx.sql<Ungreeted>(readUngreeted, [conversationId]);
  return row;
}
