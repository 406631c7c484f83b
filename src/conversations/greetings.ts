import type { ModelId } from '../core/models.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { completeText } from './complete-text.ts';
import { lockConversation } from './lock-conversation.ts';
import { greetingPrompt } from './task-prompts.ts';

const maxLength = 2_000;

const readUngreeted = {
  name: 'greeting_ungreeted',
  text: `
    select a.model, a.instructions from conversations c join agents a on a.id = c.agent_id
    where c.id = $1 and not exists (select 1 from messages m where m.conversation_id = c.id)`,
};

/**
 * Stores a generated greeting as the first message of a conversation, unless something was written by then.
 * `complete` runs in the same transaction, so that a greeting is stored once. @throws what the model throws
 */
export async function writeGreeting(
  ctx: Ctx,
  conversationId: string,
  signal: AbortSignal,
  complete: (ctx: Ctx) => Promise<void>,
): Promise<void> {
  const ungreeted = await findUngreeted(ctx, conversationId);
  if (!ungreeted) return;
  const { model, instructions } = ungreeted;
  const content = (await completeText(ctx, model, greetingPrompt(instructions), signal))
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, conversationId);
    if (content && (await findUngreeted(tx, conversationId)))
      await appendMessage(tx, { conversationId, role: 'assistant', content });
    await complete(tx);
  });
}

async function findUngreeted(
  ctx: Ctx,
  conversationId: string,
): Promise<{ model: ModelId; instructions: string } | undefined> {
  const [row] = await ctx.sql<{ model: ModelId; instructions: string }>(readUngreeted, [conversationId]);
  return row;
}
