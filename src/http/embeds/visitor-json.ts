import type { Message } from '../../conversations/messages/message.entity.ts';
import type { MessagePage } from '../../conversations/messages/messages.ts';
import { toWire } from '../../core/wire.ts';
import type { VisitorSession } from '../../embeds/visitors/start-session.ts';

/** Returns a message for a visitor. It has no citations, because only the owner may see them. */
export const messageJson = ({ id, role, content, truncated, broken, createdAt }: Message): object => ({
  id,
  role,
  content,
  ...(truncated ? { truncated } : {}),
  ...(broken ? { broken } : {}),
  created_at: createdAt,
});

export const messagePageJson = ({ data, pageInfo }: MessagePage): object => ({
  data: data.map(messageJson),
  has_more: pageInfo.hasNextPage,
});

export const sessionJson = (session: VisitorSession): object => ({
  visitor_token: session.visitorToken,
  expires_at: session.expiresAt,
  config: {
    appearance: toWire(session.embed.appearance),
    agent_name: session.agent.name,
    avatar_url: session.picture?.medium ?? null,
    greeting: session.greeting,
    notice: session.embed.notice ?? null,
  },
  messages: session.messages.map(messageJson),
});
