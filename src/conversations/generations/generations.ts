import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { notFound } from '../../core/errors.ts';
import { inLiveConversation } from '../deleted.ts';
import { isId } from '../../core/ids.ts';
import type { AcceptedMessage } from './generation-job.ts';

const find = {
  name: 'generation_get',
  text: `
    select id as "generationId", conversation_id as "conversationId", false as "isReplay", user_message_id as "userMessageId", assistant_message_id as "assistantMessageId"
    from generations g
    where id = $1 and conversation_id = $2 and user_id = $3 and ${inLiveConversation('g')}`,
};

/** Returns a generation in one of the caller's conversations. @throws AppError `not_found` */
export async function getGeneration(ctx: Ctx, conversationId: string, generationId: string): Promise<AcceptedMessage> {
  if (!isId('gen_', generationId) || !isId('conv_', conversationId)) throw notFound();
  const [generation] = await ctx.sql<AcceptedMessage>(find, [generationId, conversationId, callerId(ctx)]);
  if (!generation) throw notFound();
  return generation;
}
