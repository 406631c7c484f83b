import type { Ctx } from '../../core/ctx.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { openBot } from '../bot-token.ts';
import { deliverReply } from './deliver-reply.ts';
import { scheduleQueue, type ChatQueue } from './chat-queue.ts';
import { isListening } from '../connections/connection-health.ts';
import { mayAnswer } from './refusals.ts';
import { endUndelivered, type OpenMessage, replyKey, settleMessage } from './open-message.ts';
import { refundUndelivered } from '../../conversations/messages/refunds.ts';
import { writePlatformReply } from './write-reply.ts';

const readOldest = {
  name: 'platform_message_oldest',
  text: `
    select m.seq, m.event_id as "eventId", m.state, m.target, m.content, m.parts, m.parts_sent as "partsSent",
      m.sending, m.failures, i.platform, i.owner_id as "ownerId", i.agent_id as "agentId", i.id,
      i.bot_token as "botToken", i.place, (${isListening('i')} and u.deletion_requested_at is null and not exists (
        select from agents a where a.id = i.agent_id and a.moderation_state = 'removed')) as active,
      greatest(0, extract(epoch from c.paused_until - now()) * 1000)::float8 as "pausedMs"
    from platform_messages m join integrations i on i.id = m.integration_id join users u on u.id = i.owner_id
    join integration_connections c on c.integration_id = i.id
    where m.integration_id = $1 and m.chat_id = $2 and m.person_id = $3 and m.state in ('received', 'replying')
    order by m.seq limit 1`,
};
/** Well below the duration of the lease, so a lease that was confirmed within this time cannot have been taken over. */
const confirmEveryMs = 3_000;

type Row = Omit<OpenMessage, 'bot'> & {
  id: string;
  botToken: string;
  place: string;
  active: boolean;
  pausedMs: number | null;
};

/**
 * Replies to the messages of a user in a chat, in order, until none are left. Each step is stored before the next one,
 * so another process can resume from there. A step that has to wait is postponed without counting an attempt.
 */
export async function processQueue(ctx: Ctx, queue: ChatQueue, run: TaskRun): Promise<void> {
  const { integrationId, chatId, personId } = queue;
  let confirmedMs = performance.now();
  const confirmLease = async (): Promise<void> => {
    const nowMs = performance.now();
    if (nowMs - confirmedMs <= confirmEveryMs) return;
    await run.heartbeat();
    confirmedMs = nowMs;
  };
  for (;;) {
    run.signal.throwIfAborted();
    await confirmLease();
    const [row] = await ctx.sql<Row>(readOldest, [integrationId, chatId, personId]);
    if (!row) return;
    if (!row.active) {
      await endUndelivered(ctx, { ...row, integrationId }, 'dropped');
      continue;
    }
    if (row.pausedMs) return postpone(ctx, queue, row.pausedMs);
    if (row.state === 'received' && !(await mayAnswer(ctx, integrationId, row.target.channelId))) {
      await settleMessage(ctx, row.seq, 'dropped');
      continue;
    }
    const message = { ...row, integrationId, chatId, personId, bot: openBot(ctx.config, row) };
    const step = await (row.state === 'received'
      ? writePlatformReply(ctx, message, run.signal)
      : deliverReply(ctx, message, confirmLease));
    if ('laterMs' in step) return postpone(ctx, queue, step.laterMs);
  }
}

/** Schedules another run of the task, which is running now. */
const postpone = (ctx: Ctx, queue: ChatQueue, inMs: number): Promise<void> => scheduleQueue(ctx, queue, inMs);

const failOldest = {
  name: 'platform_message_fail_oldest',
  text: `
    with oldest as (
      select m.seq, m.parts_sent, i.owner_id from platform_messages m join integrations i on i.id = m.integration_id
      where m.integration_id = $1 and m.chat_id = $2 and m.person_id = $3 and m.state in ('received', 'replying')
      order by m.seq limit 1)
    update platform_messages m set state = 'failed', content = '', parts = null, sending = false
    from oldest o where m.seq = o.seq
    returning m.seq, o.parts_sent as "partsSent", o.owner_id as "ownerId"`,
};

/** Marks a message on which all attempts died as failed and refunds it, so that the following messages are processed. */
export async function failQueueHead(ctx: Ctx, queue: ChatQueue): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { integrationId, chatId, personId } = queue;
    const values = [integrationId, chatId, personId];
    const [failed] = await tx.sql<{ seq: number; partsSent: number; ownerId: string }>(failOldest, values);
    if (failed?.partsSent === 0) await refundUndelivered(tx, failed.ownerId, replyKey({ integrationId, ...failed }));
    await scheduleQueue(tx, queue);
  });
}
