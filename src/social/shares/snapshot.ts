import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { invalidField } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { maxSharedMessages } from '../social.input.ts';
import { markedContent } from '../../conversations/messages/messages.ts';
import type { SharedMessage } from './share.entity.ts';

/** Maximum total length of the messages in a snapshot, which is stored in one row and sent to every reader. */
const maxCharacters = 1_000_000;

interface Chosen {
  upToMessageId: string | undefined;
  messageIds: readonly string[] | undefined;
}

const readUpTo = {
  name: 'share_messages_up_to',
  text: `
    select m.role, ${markedContent('m')} as content from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$3')} and m.active and m.position <= $2
    order by m.position limit ${maxSharedMessages + 1}`,
};
const readChosen = {
  name: 'share_messages_chosen',
  text: `
    select m.role, ${markedContent('m')} as content from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$3')} and m.id = any ($2) order by m.position`,
};
const findPosition = {
  name: 'share_message_position',
  text: `select position from messages where conversation_id = $1 and user_id = $3 and id = $2 and active`,
};
const lastPosition = 2_147_483_647;

/**
 * Copies the chosen messages of one of the caller's conversations: role and text, without the citations of documents.
 * @throws AppError `invalid_request` for unknown messages, none, more than 200, or more than 1,000,000 characters in
 * total
 */
export async function takeSnapshot(ctx: Ctx, conversationId: string, chosen: Chosen): Promise<SharedMessage[]> {
  const messages = await (chosen.messageIds
    ? readByIds(ctx, conversationId, chosen.messageIds)
    : readBranch(ctx, conversationId, chosen.upToMessageId));
  if (messages.length === 0) throw invalidField('conversationId', 'empty', 'The conversation has no messages yet.');
  if (messages.length > maxSharedMessages)
    throw invalidField(
      'messageIds',
      'too_big',
      `A share can have at most ${maxSharedMessages} messages. Select some with message_ids.`,
    );
  if (messages.reduce((sum, { content }) => sum + content.length, 0) > maxCharacters)
    throw invalidField(
      'messageIds',
      'too_long',
      'These messages are too long to share. Select fewer with message_ids.',
    );
  return messages;
}

async function readByIds(ctx: Ctx, conversationId: string, ids: readonly string[]): Promise<SharedMessage[]> {
  const messages = await ctx.sql<SharedMessage>(readChosen, [conversationId, ids, callerId(ctx)]);
  if (messages.length < ids.length)
    throw invalidField('messageIds', 'unknown_message', 'message_ids must be ids of messages of this conversation');
  return messages;
}

async function readBranch(ctx: Ctx, conversationId: string, upTo: string | undefined): Promise<SharedMessage[]> {
  const userId = callerId(ctx);
  if (upTo === undefined) return ctx.sql<SharedMessage>(readUpTo, [conversationId, lastPosition, userId]);
  const [end] = isId('msg_', upTo)
    ? await ctx.sql<{ position: number }>(findPosition, [conversationId, upTo, userId])
    : [];
  if (!end)
    throw invalidField(
      'upToMessageId',
      'unknown_message',
      'up_to_message_id must be the id of a message of this conversation',
    );
  return ctx.sql<SharedMessage>(readUpTo, [conversationId, end.position, userId]);
}
