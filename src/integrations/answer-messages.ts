import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/task-handler.ts';
import { inTransaction } from '../core/transaction.ts';
import { openBot } from './bot-token.ts';
import { deliverReply } from './deliver-reply.ts';
import { enqueueLane, type Lane } from './lanes.ts';
import { type OpenMessage, settleMessage } from './open-message.ts';
import { writeReply } from './write-reply.ts';

const readOldest = {
  name: 'platform_message_oldest',
  text: `
    select m.seq, m.event_id as "eventId", m.state, m.target, m.content, m.parts, m.parts_sent as "partsSent",
      m.sending, m.failures, i.platform, i.owner_id as "ownerId", i.agent_id as "agentId", i.id,
      i.bot_token as "botToken", i.place, (i.status = 'active' and u.deletion_requested_at is null) as active,
      greatest(0, extract(epoch from c.paused_until - now()) * 1000)::float8 as "pausedMs"
    from platform_messages m join integrations i on i.id = m.integration_id join users u on u.id = i.owner_id
    join integration_connections c on c.integration_id = i.id
    where m.integration_id = $1 and m.chat_id = $2 and m.person_id = $3 and m.state in ('received', 'replying')
    order by m.seq limit 1`,
};
/** An attempt may take as long as there is something to answer, if it shows now and then that it goes on. */
const beatEveryMs = 20_000;

type Row = Omit<OpenMessage, 'bot'> & {
  id: string;
  botToken: string;
  place: string;
  active: boolean;
  pausedMs: number | null;
};

/**
 * Answers what a person has written in a chat, in order, until nothing is left. Each step is kept in the database before
 * the next one, so that another process can go on from there. What has to wait is put off without counting an attempt.
 */
export async function answerLane(ctx: Ctx, lane: Lane, run: TaskRun): Promise<void> {
  const { integrationId, chatId, personId } = lane;
  let beatMs = performance.now();
  for (;;) {
    run.signal.throwIfAborted();
    const [row] = await ctx.sql<Row>(readOldest, [integrationId, chatId, personId]);
    if (!row) return;
    if (!row.active) {
      await settleMessage(ctx, row.seq, 'dropped');
      continue;
    }
    if (row.pausedMs) return putOff(ctx, lane, row.pausedMs);
    const message = { ...row, integrationId, chatId, personId, bot: openBot(ctx.config, row) };
    const step = await (row.state === 'received' ? writeReply(ctx, message, run.signal) : deliverReply(ctx, message));
    if ('laterMs' in step) return putOff(ctx, lane, step.laterMs);
    if (performance.now() - beatMs > beatEveryMs) {
      await run.heartbeat();
      beatMs = performance.now();
    }
  }
}

/** The task is running, so this makes it run once more at that time. */
const putOff = (ctx: Ctx, lane: Lane, inMs: number): Promise<void> =>
  enqueueLane(ctx, lane, new Date(ctx.clock.now().getTime() + inMs));

const failOldest = {
  name: 'platform_message_fail_oldest',
  text: `
    update platform_messages set state = 'failed', content = '', parts = null, sending = false
    where seq = (
      select seq from platform_messages
      where integration_id = $1 and chat_id = $2 and person_id = $3 and state in ('received', 'replying')
      order by seq limit 1)`,
};

/** A message on which process after process died is given up, so that those behind it get their turn. */
export async function giveUpLane(ctx: Ctx, lane: Lane): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.sql(failOldest, [lane.integrationId, lane.chatId, lane.personId]);
    await enqueueLane(tx, lane);
  });
}
