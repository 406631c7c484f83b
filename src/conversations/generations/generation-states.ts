import type { Ctx } from '../../core/ctx.ts';
import { refusal, violatedUnique } from '../../core/database/database-errors.ts';
import type { SqlValue } from '../../core/database/sql.ts';
import { sendSql, translateFailure } from '../../core/database/transaction.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { noteEnded } from '../../studio/analytics/notes.ts';
import type { GenerationJob, OwnedGeneration } from './generation-job.ts';
import type { TokenUsage } from '../replies/generation-events.ts';

/**
 * The only statements that change the state of a generation.
 *
 * ```
 *              ┌─ the model finished, or the reply reached its length limit ─► complete     reply stored
 *              ├─ the user stopped it ───────────────────────────────────────► stopped      reply stored, if any
 *  ─► running ─┤
 *              ├─ the model or the service failed ───────────────────────────► failed       partial text kept
 *              └─ the lease of its instance expired ─────────────────────────► interrupted  partial text kept
 * ```
 *
 * - Only `running` has transitions, and a generation makes only one: each statement below checks the state and reports
 *   whether it made the change. Only the instance that holds a generation may store its reply.
 * - A conversation has at most one running generation. Another attempt at the same message is another generation.
 * - What was written before a failure is also stored as a message that is marked as broken (keep-broken-replies.ts).
 * - The charge of a generation that ends without a reply is refunded, within a limit (refunds.ts). Its checkpoints are
 *   removed when it ends.
 * - Lock order: conversation, generation, counter of the user's day.
 */

// Uses clock_timestamp(), because now() is the start of the transaction: two transactions that wait for the lock of one
// conversation would be out of order.
const insert = {
  name: 'generation_insert',
  text: `
    insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, quota_day,
      idempotency_key, is_regeneration, version_id, created_at)
    select $1, $2, $3, $4, $5, case when running < $11 then 'running' else refuse('replies_under_way') end, $6, $7, $8, $9, $10,
      clock_timestamp()
    from (select count(*) as running from generations where user_id = $3 and state = 'running') r`,
};

interface NewGeneration {
  id: string;
  conversationId: string;
  userId: string;
  userMessageId: string;
  assistantMessageId: string;
  quotaDay: string;
  idempotencyKey: string | null;
  isRegeneration: boolean;
  versionId: string;
}

/**
 * Stores a running generation that this instance holds, without waiting for the result. The transaction fails when the
 * account already has `limit` running generations, or when a concurrent transaction used the idempotency key first.
 */
export function sendRunning(tx: Ctx, generation: NewGeneration, limit: number): Promise<void> {
  translateFailure(tx, (error) => {
    if (refusal(error) === 'replies_under_way') return tooManyInProgress(limit);
    return violatedUnique(error) === 'generations_idempotency_key' ? new AppError('idempotency_mismatch') : error;
  });
  return sendSql(tx, insert, [
    generation.id,
    generation.conversationId,
    generation.userId,
    generation.userMessageId,
    generation.assistantMessageId,
    tx.ports.generations.instanceId,
    generation.quotaDay,
    generation.idempotencyKey,
    generation.isRegeneration,
    generation.versionId,
    limit,
  ]);
}

const tooManyInProgress = (limit: number): AppError =>
  new AppError('rate_limited', {
    message: `At most ${limit} replies can be in progress at a time. Wait for one to finish.`,
    retryAfterSeconds: 5,
  });

/**
 * Returns common table expressions that end a generation of a conversation with a reply: running → complete or stopped.
 * `ended` has no row when this instance no longer holds the generation. The conversation is locked first. The
 * parameters after `$offset` are `endValues`.
 */
export const endedWithReply = (offset: number): string => {
  const [id, conversationId, userId, state, input, output, instanceId, isCharged, firstWordsMs, now] = Array.from(
    { length: 10 },
    (_, i) => `$${offset + i + 1}`,
  );
  return `
    locked as (select id from conversations where id = ${conversationId} for no key update),
    ended as (
      update generations g set state = ${state}, input_tokens = ${input}, output_tokens = ${output},
        finished_at = clock_timestamp(), quota_day = case when ${isCharged} then g.quota_day end,
        first_words_ms = ${firstWordsMs}
      from locked, (select id, quota_day from generations where id = ${id} and user_id = ${userId}) old
      where g.id = old.id and g.user_id = ${userId} and g.conversation_id = locked.id and g.state = 'running' and g.instance_id = ${instanceId}
      returning g.id, g.user_id, g.user_message_id, to_char(old.quota_day, 'YYYY-MM-DD') as quota_day
    ), noted as (${noteEnded('ended', `${now}`)})`;
};

interface EndWithReply {
  id: string;
  conversationId: string;
  userId: string;
  state: 'complete' | 'stopped';
  usage: TokenUsage | null;
  /** Whether the charge is kept. */
  isCharged: boolean;
  firstWordsMs: number | null;
}

/** Returns the parameters of `endedWithReply`, in its order. */
export const endValues = (ctx: Ctx, end: EndWithReply): SqlValue[] => [
  end.id,
  end.conversationId,
  end.userId,
  end.state,
  end.usage?.inputTokens ?? null,
  end.usage?.outputTokens ?? null,
  ctx.ports.generations.instanceId,
  end.isCharged,
  end.firstWordsMs,
  ctx.clock.now(),
];

const stopUnwrittenStatement = {
  name: 'generation_stop_unwritten',
  text: `with ${endedWithReply(0)} select user_id as "userId", quota_day as "quotaDay" from ended`,
};

/**
 * Ends a generation before anything was written: running → stopped. Returns undefined when this instance no longer
 * holds the generation. The caller refunds the charge.
 */
export async function stopUnwritten(
  tx: Ctx,
  { generationId: id, conversationId, userId }: Pick<GenerationJob, 'generationId' | 'conversationId' | 'userId'>,
): Promise<{ userId: string; quotaDay: string | null } | undefined> {
  const end = {
    id,
    conversationId,
    userId,
    state: 'stopped',
    usage: null,
    isCharged: false,
    firstWordsMs: null,
  } as const;
  const [ended] = await tx.sql<{ userId: string; quotaDay: string | null }>(stopUnwrittenStatement, endValues(tx, end));
  return ended;
}

// The inner select locks the rows in order, so that two transactions that end the same generations wait instead of
// deadlocking.
const endWithoutReplyStatement = {
  name: 'generation_fail',
  text: `
    with ended as (
      update generations g set state = $2, error_code = $3, error_message = $4, finished_at = clock_timestamp(), quota_day = null,
        partial_text = $5, retry_at = clock_timestamp() + make_interval(secs => $8)
      from (
        select r.id, r.user_id, r.quota_day from unnest($1::text[], $7::text[]) as k (id, user_id)
        join generations r on r.id = k.id and r.user_id = k.user_id
        where r.state = 'running' order by r.id for no key update of r
      ) old
      where g.id = old.id and g.user_id = old.user_id
      returning g.id, g.user_id, g.conversation_id, g.user_message_id, old.quota_day
    ), noted as (${noteEnded('ended', '$6')})
    update conversations c set event_sequence = event_sequence + 1 from ended e where c.id = e.conversation_id
    returning e.id, c.id as "conversationId", c.user_id as "userId", c.agent_id as "agentId",
      c.event_sequence as sequence, e.user_message_id as "messageId", to_char(e.quota_day, 'YYYY-MM-DD') as "quotaDay"`,
};
const keepPartialText = {
  name: 'generation_partial_text',
  text: `
    with d as (
      delete from generation_deltas where generation_id = any ($1) returning generation_id, position, content
    ), written as (
      select k.id, k.user_id, string_agg(d.content, '' order by d.position) as content
      from d join unnest($1::text[], $2::text[]) as k (id, user_id) on k.id = d.generation_id group by k.id, k.user_id
    )
    update generations g set partial_text = w.content from written w
    where g.id = w.id and g.user_id = w.user_id and g.partial_text is null`,
};

export interface EndedWithoutReply {
  id: string;
  conversationId: string;
  userId: string;
  agentId: string;
  /** Sequence number of the event in the conversation. */
  sequence: number;
  /** Id of the user's message. */
  messageId: string;
  /** UTC day that was charged; null when nothing was. */
  quotaDay: string | null;
}

/** How generations failed. */
export interface FailedEnd {
  state: 'failed' | 'interrupted';
  code: ErrorCode;
  message: string;
  partialText?: string;
  /** Wait that the provider requests. */
  retryAfterSeconds?: number | undefined;
}

/**
 * Ends those of the generations that are running without a reply: running → failed or interrupted. `partialText` is the
 * text that was written, if the caller knows it; otherwise it is assembled from the checkpoints. The caller refunds the
 * charges.
 */
export async function endWithoutReply(
  tx: Ctx,
  generations: readonly OwnedGeneration[],
  end: FailedEnd,
): Promise<EndedWithoutReply[]> {
  const [ids, accounts] = [generations.map(({ id }) => id), generations.map(({ userId }) => userId)];
  const { state, code, message, partialText = null, retryAfterSeconds = null } = end;
  const values = [ids, state, code, message, partialText, tx.clock.now(), accounts, retryAfterSeconds];
  const ended = await tx.sql<EndedWithoutReply>(endWithoutReplyStatement, values);
  // A separate statement, because a checkpoint may have been written while the first one waited for its locks.
  if (ended.length > 0) await tx.sql(keepPartialText, [ended.map(({ id }) => id), ended.map(({ userId }) => userId)]);
  return ended;
}

const dropDeltas = { name: 'generation_deltas_drop', text: `delete from generation_deltas where generation_id = $1` };

/**
 * Removes the checkpoints of a generation that has ended with a reply, in its transaction, without waiting for the
 * result. This is not part of the statement that ended the generation, because a checkpoint may have been written while
 * that one waited for its locks.
 */
export const dropCheckpoints = (tx: Ctx, id: string): Promise<void> => sendSql(tx, dropDeltas, [id]);
