import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/transaction.ts';
import { enqueueLane } from './lanes.ts';
import { notify } from './notices.ts';
import type { ConnectionSession, InboundMessage, PlatformKind } from './platforms.ports.ts';

const readListener = {
  name: 'integration_listener',
  text: `
    select i.platform, i.channel_ids as "channelIds", i.auto_respond as "autoRespond", exists (
        select 1 from integration_connections b join integrations o on o.id = b.integration_id
        where b.bot_user_id = $2 and o.platform = i.platform) as "isOurBot"
    from integrations i join users u on u.id = i.owner_id
    where i.id = $1 and i.status = 'active' and u.deletion_requested_at is null`,
};

interface Listener {
  platform: PlatformKind;
  channelIds: string[];
  autoRespond: boolean;
  isOurBot: boolean;
}

/** What is waiting in a chat: beyond this nobody would still want the answer. */
export const maxWaitingPerChat = 100;
const maxContentLength = 32_000;

const claim = {
  name: 'platform_message_claim',
  text: `
    insert into platform_messages (integration_id, event_id, chat_id, person_id, state, target, content, created_at)
    select $1, $2, $3, $4, case when waiting.n < $8 then 'received' else 'dropped' end, $5,
      case when waiting.n < $8 then $6 else '' end, $7
    from (
      select count(*) as n from (
        select 1 from platform_messages
        where integration_id = $1 and chat_id = $3 and state in ('received', 'replying') limit $8) w) waiting
    on conflict (integration_id, event_id) do nothing
    returning state`,
};
const saveSession = {
  name: 'integration_session_save',
  text: `update integration_connections set session = $2 where integration_id = $1`,
};
const countReceived = {
  name: 'integration_count_received',
  text: `update integrations set message_count = message_count + 1, last_message_at = $2 where id = $1`,
};

/**
 * Claims a message that a platform delivered and sees to it that it is answered, in one commit with `session`, so that
 * nothing is answered twice and nothing is passed over, wherever a process dies. Messages that the integration has no
 * answer for (another channel, not addressed, one of our own bots) are left alone; what a chat has too much of is
 * dropped, and the chat is told so once.
 */
export async function receiveMessage(
  ctx: Ctx,
  integrationId: string,
  message: InboundMessage,
  session: ConnectionSession | null = null,
): Promise<void> {
  const [listener] = await ctx.sql<Listener>(readListener, [integrationId, message.personId]);
  if (!listener || !wants(listener, message)) return;
  await inTransaction(ctx, async (tx) => {
    const { eventId, chatId, personId, target } = message;
    const now = tx.clock.now();
    const content = message.text.slice(0, maxContentLength).toWellFormed().replaceAll('\0', '');
    const values = [integrationId, eventId, chatId, personId, JSON.stringify(target), content, now, maxWaitingPerChat];
    const [claimed] = await tx.sql<{ state: 'received' | 'dropped' }>(claim, values);
    if (claimed?.state === 'received') {
      await tx.sql(countReceived, [integrationId, now]);
      await enqueueLane(tx, { integrationId, chatId, personId });
    }
    if (session) await tx.sql(saveSession, [integrationId, JSON.stringify(session)]);
    if (claimed?.state === 'dropped') await notify(tx, 'flood', { integrationId, chatId, target, eventId });
  });
}

function wants({ platform, channelIds, autoRespond, isOurBot }: Listener, message: InboundMessage): boolean {
  if (isOurBot || message.text.trim() === '') return false;
  if (platform !== 'chat_messenger' && !channelIds.includes(message.channelId)) return false;
  return autoRespond || message.isDirected;
}
