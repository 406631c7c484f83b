import { followGeneration } from '../../conversations/generations/follow-generation.ts';
import type { Message } from '../../conversations/messages/message.entity.ts';
import type { Ctx } from '../../core/ctx.ts';
import { toWire } from '../../core/wire.ts';
import type { ChannelEvent } from '../channel.ts';
import { type LatestReply, messageCreated, replyDone, replyFailed } from './conversation-log.ts';
import { type FollowedText, followText, type ReplyEnd } from './followed-text.ts';

/** A reply in a conversation while it is generated. */
export interface FollowedReply extends FollowedText {
  /** Position of the stored reply; null until it is stored. */
  readonly position: number | null;
}

/** Starts to read a running reply. */
export function followReplyOnChannel(
  ctx: Ctx,
  { id: conversationId, userId, agentId }: { id: string; userId: string; agentId: string },
  reply: LatestReply,
  onEnd: () => void,
): FollowedReply {
  const { id } = reply;
  const ids = { generationId: id, userMessageId: reply.userMessageId };
  let position: number | null = null;

  function endEvents(event: ReplyEnd<Message>): ChannelEvent[] {
    if (event.type === 'error') return [replyFailed(reply, event.code, event.message, event.retryAfterSeconds)];
    const { message } = event;
    position = message?.position ?? null;
    const done = replyDone(reply, message, event);
    return message ? [messageCreated(message, agentId), done] : [done];
  }

  const text = followText<Message>({
    id,
    open: (from) => followGeneration(ctx, { id, userId }, { from }),
    started: {
      type: 'reply.started',
      offset: `${id}:0`,
      data: toWire({ ...ids, messageId: reply.assistantMessageId, conversationId }) as object,
    },
    piece: (content) => ({ type: 'reply.delta', data: { generation_id: id, content } }),
    endEvents,
    onEnd,
    log: ctx.log,
  });
  return Object.defineProperty(text as FollowedReply, 'position', { get: () => position });
}
