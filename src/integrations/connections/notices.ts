import type { Ctx } from '../../core/ctx.ts';
import { scheduleQueue } from '../replies/chat-queue.ts';
import type { ChatTarget, PlatformKind } from '../platforms.ports.ts';
import type { NoticeKind } from './integration-notice.entity.ts';

const lines: Record<Exclude<NoticeKind, 'start'>, string> = {
  quota: 'I have reached my message limit for today. Please ask me again tomorrow (after midnight UTC).',
  flood: 'There are more messages here than I can keep up with, so I skipped some. Please ask again later.',
  unreadable: 'I can read only text here, no voice messages, pictures or files. Please write your message.',
  help: 'Write me a message and I answer it. I can read only text.',
};

/** Minimum time between two notices on what a bot can read in a chat, in milliseconds. */
const unreadablePauseMs = 30_000;

/** Minimum time between two notices of a kind in a chat, in milliseconds; of the quota there is one each UTC day. */
const pausesMs: Record<Exclude<NoticeKind, 'quota'>, number> = {
  flood: 10 * 60_000,
  unreadable: unreadablePauseMs,
  start: 5_000,
  help: 5_000,
};

/** Returns the time before which the last notice must have been posted for a new one. */
const since = (kind: NoticeKind, now: Date): Date =>
  kind === 'quota'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
    : new Date(now.getTime() - pausesMs[kind]);

const readGreeting = {
  name: 'integration_greeting',
  text: `
    select i.platform, a.name, a.greeting_message as greeting from integrations i join agents a on a.id = i.agent_id
    where i.id = $1`,
};

/** Returns the parts of a notice. The notice to a person who starts a chat is the agent's greeting. */
async function partsOf(ctx: Ctx, kind: NoticeKind, integrationId: string): Promise<string[]> {
  if (kind !== 'start') return [lines[kind]];
  const [row] = await ctx.sql<{ platform: PlatformKind; name: string; greeting: string | null }>(readGreeting, [
    integrationId,
  ]);
  if (!row) return [lines.help];
  const { toParts } = await import('../replies/markup.ts');
  return toParts(row.platform, row.greeting?.trim() || `Hello, I am ${row.name}. ${lines.help}`);
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
 * Enqueues a notice that no model writes and that is not charged, such as why a chat gets no reply. It is posted once
 * instead of for every message. Call it inside the transaction of its cause.
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
    JSON.stringify(await partsOf(ctx, kind, integrationId)),
    now,
  ];
  await ctx.sql(insert, values);
  // Uses a separate queue, so that the notice does not wait behind the messages that it explains.
  await scheduleQueue(ctx, { integrationId, chatId, personId: '' });
}
