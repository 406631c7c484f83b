import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { chooseVersion, type VersionedConversation, versionChoice } from '../../studio/choose-version.ts';
import { findVersion } from '../../studio/versions.ts';
import { isLiveConversation } from '../deleted.ts';
import { lockConversation } from '../lock-conversation.ts';
import { sendAppend } from '../messages/append-message.ts';
import { findGreeting, generateVersionGreeting } from './version-greetings.ts';

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
    select c.id, c.user_id as "userId", c.agent_id as "agentId", a.owner_id as "ownerId", a.name as "agentName",
      ${versionChoice.columns}
    from conversations c join agents a on a.id = c.agent_id ${versionChoice.joins}
    where c.id = $1 and ${isLiveConversation('c')} and a.deleted_at is null and not exists (
      select 1 from messages m where m.conversation_id = c.id and ${ofAccountUnindexed('m.user_id', 'c.user_id')})`,
};

type Ungreeted = VersionedConversation & { agentName: string };

/**
 * Stores the greeting of the version that replies as the first message of a conversation, unless it already has
 * messages. It is stored exactly once: the task completes in the same transaction.
 * @throws what the model throws
 */
export async function writeGreeting(ctx: Ctx, conversationId: string, run: TaskRun): Promise<void> {
  const found = await findGreetingVersion(ctx, conversationId);
  if (!found) return;
  const { userId, agentId, version } = found;
  const content =
    (await findGreeting(ctx, { versionId: version.id, greeting: version.greetingMessage })) ||
    (await generateVersionGreeting(ctx, version, userId, run.signal));
  // The task is running, so enqueueing it again makes it run once more.
  if (content === null) return requestGreeting(ctx, conversationId, nextTryMs);
  await inTransaction(ctx, async (tx) => {
    if (await lockUngreeted(tx, conversationId))
      await sendAppend(tx, { conversationId, userId, agentId, role: 'assistant', content });
    await run.complete(tx);
  });
}

/** Chooses the version that greets in a conversation, as for a reply; null if there is nothing to greet. */
async function findGreetingVersion(ctx: Ctx, conversationId: string) {
  return inTransaction(ctx, async (tx) => {
    const ungreeted = await lockUngreeted(tx, conversationId);
    if (!ungreeted) return null;
    const { userId, agentId, agentName } = ungreeted;
    const version = await findVersion(tx, agentId, await chooseVersion(tx, ungreeted, null));
    return { userId, agentId, version: { ...version, agentName } };
  });
}

async function lockUngreeted(tx: Ctx, conversationId: string): Promise<Ungreeted | undefined> {
  await lockConversation(tx, conversationId);
  const [row] = await tx.sql<Ungreeted>(readUngreeted, [conversationId]);
  return row;
}
