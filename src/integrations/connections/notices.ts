import type { Ctx } from '../../core/ctx.ts';
import { scheduleQueue } from '../replies/chat-queue.ts';
import type { ChatTarget } from '../platforms.ports.ts';

export type NoticeKind = 'quota' | 'flood';

const lines: Record<NoticeKind, string> = {
  quota: 'I have reached my message limit for today. Please ask me again tomorrow (after midnight UTC).',
  flood: 'There are more messages here than I can keep up with, so I skipped some. Please ask again later.',
};

const floodPauseMs = 10 * 60_000;

/**
 * Returns the time before which the last notice must have been posted for a new one: once a UTC day for the quota,
 * every ten minutes for a flood.
 */
function since(kind: NoticeKind, now: Date): Date {
  if (kind === 'flood') return new Date(now.getTime() - floodPauseMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

const take = {
  name: 'integration_notice_take',
  text: `
    insert into integration_notices as n (integration_id, chat_id, kind, noticed_at) values ($1, $2, $3, $4)
    on conflict (integration_id, chat_id, kind) do update set noticed_at = excluded.noticed_at
      where n.noticed_at < $5
    returning 1`,
};
const insert = {
  name: 'integration_notice_insert',
  text: `
    insert into platform_messages (integration_id, event_id, chat_id, person_id, state, target, content, parts, created_at)
    values ($1, $2, $3, '', 'replying', $4, '', $5, $6) on conflict do nothing`,
};

interface NoticeCause {
  integrationId: string;
  chatId: string;
  target: ChatTarget;
  /** Id of the message that caused the notice. */
  eventId: string;
}

/**
 * Enqueues a notice that explains to a chat why it gets no reply, once instead of for every message. Call it inside the
 * transaction of its cause.
 */
export async function notify(
  ctx: Ctx,
  kind: NoticeKind,
  { integrationId, chatId, target, eventId }: NoticeCause,
): Promise<void> {
  const now = ctx.clock.now();
  const taken = await ctx.sql(take, [integrationId, chatId, kind, now, since(kind, now)]);
  if (taken.length === 0) return;
  const { replyTo: _asked, ...withoutReply } = target;
  const values = [
    integrationId,
    `${kind} ${eventId}`,
    chatId,
    JSON.stringify(withoutReply),
    JSON.stringify([lines[kind]]),
    now,
  ];
  await ctx.sql(insert, values);
  // Uses a separate queue, so that the notice does not wait behind the messages that it explains.
  await scheduleQueue(ctx, { integrationId, chatId, personId: '' });
}
