import { hasVisible } from '../../core/text/text-input.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { scheduleQueue } from './chat-queue.ts';
import { isListening } from '../connections/connection-health.ts';
import { writeSession } from '../connections/connection-leases.ts';
import type { NoticeKind } from '../connections/integration-notice.entity.ts';
import { notify } from '../connections/notices.ts';
import type { ConnectionSession, InboundMessage, PlatformKind } from '../platforms.ports.ts';

const readListener = {
  name: 'integration_listener',
  text: `
    select i.platform, i.channel_ids as "channelIds", i.auto_respond as "autoRespond", exists (
        select 1 from integration_connections b join integrations o on o.id = b.integration_id
        where b.bot_user_id = $2 and o.platform = i.platform) as "isOurBot"
    from integrations i join users u on u.id = i.owner_id
    where i.id = $1 and ${isListening('i')} and u.deletion_requested_at is null`,
};

/** Settings that decide whether an integration replies to a message. */
export interface Listener {
  platform: PlatformKind;
  channelIds: string[];
  autoRespond: boolean;
}

/** Largest number of unanswered messages in a chat. Replies to more would come too late to be useful. */
export const maxWaitingPerChat = 100;
const maxContentLength = 32_000;

const claim = {
  name: 'platform_message_claim',
  text: `
    insert into platform_messages (integration_id, event_id, chat_id, person_id, state, target, content, created_at)
    select $1, $2, $3, $4, case when waiting.n < $8 and not $9 then 'received' else 'dropped' end, $5,
      case when waiting.n < $8 and not $9 then $6 else '' end, $7
    from (
      select count(*) as n from (
        select 1 from platform_messages
        where integration_id = $1 and chat_id = $3 and state in ('received', 'replying') limit $8) w) waiting
    on conflict (integration_id, event_id) do nothing
    returning state`,
};
const countReceived = {
  name: 'integration_count_received',
  text: `update integrations set message_count = message_count + 1, last_message_at = $2 where id = $1`,
};

/**
 * Claims a delivered message and schedules its reply, in one transaction with the session of the connection: wherever a
 * process dies, no message gets two replies and none is skipped. Ignores messages that are in other channels, not
 * addressed to the bot, or from another bot of this service. Drops messages beyond the limit of a chat and notifies the
 * chat once.
 */
export async function receiveMessage(
  ctx: Ctx,
  integrationId: string,
  message: InboundMessage,
  connection: { holder: string; session: ConnectionSession | null } | null = null,
): Promise<void> {
  const [listener] = await ctx.sql<Listener & { isOurBot: boolean }>(readListener, [integrationId, message.personId]);
  if (!listener || listener.isOurBot || !isAddressed(listener, message)) return;
  await inTransaction(ctx, async (tx) => {
    const { eventId, chatId, personId, target } = message;
    const notice = noticeFor(message);
    const now = tx.clock.now();
    const content = message.text.slice(0, maxContentLength).toWellFormed().replaceAll('\0', '');
    const chat = [integrationId, eventId, chatId, personId, JSON.stringify(target)];
    const values = [...chat, content, now, maxWaitingPerChat, notice !== null];
    const [claimed] = await tx.sql<{ state: 'received' | 'dropped' }>(claim, values);
    if (claimed?.state === 'received') {
      await tx.sql(countReceived, [integrationId, now]);
      await scheduleQueue(tx, { integrationId, chatId, personId });
    }
    if (connection?.session) await writeSession(tx.sql, connection.holder, integrationId, connection.session);
    if (claimed?.state === 'dropped') await notify(tx, notice ?? 'flood', { integrationId, chatId, target, eventId });
  });
}

/**
 * Returns whether a message is in the integration's channels and, unless the integration replies to everything,
 * addressed to the bot.
 */
export function isAddressed({ platform, channelIds, autoRespond }: Listener, message: InboundMessage): boolean {
  // In a group, only an attachment for the bot is worth a notice.
  if (!hasVisible(message.text) && !(message.hasAttachment && message.isDirected)) return false;
  if (platform !== 'chat_messenger' && !channelIds.includes(message.channelId)) return false;
  return autoRespond || message.isDirected;
}

/** Returns the notice that answers a message instead of the agent; null when the agent answers. */
function noticeFor({ text, command, hasAttachment }: InboundMessage): NoticeKind | null {
  if (command) return command;
  return hasAttachment && !hasVisible(text) ? 'unreadable' : null;
}
