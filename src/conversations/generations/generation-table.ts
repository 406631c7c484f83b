import type { Message } from '../messages/message.entity.ts';
import { findMessageById } from '../messages/messages.ts';
import { generationStatements } from './generation-statements.ts';
import { interruptIfOrphaned } from './interrupt-generation.ts';
import type { ReplyTable } from '../replies/reply-table.ts';

/** Table of the replies in conversations. */
export const generationTable: ReplyTable<Message> = {
  ...generationStatements,
  live: ({ generations }) => generations,
  findMessage: (ctx, id, { account = '' }) => findMessageById(ctx, id, account),
  interruptIfOrphaned: (ctx, conversationId, { id, account = '' }) =>
    interruptIfOrphaned(ctx, conversationId, { id, userId: account }),
  goneMessage: 'The conversation was deleted.',
  recovery: 'generation.recover',
};
