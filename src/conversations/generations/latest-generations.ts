import { isOfAccount } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { GenerationState } from '../replies/generation-state.ts';

/** The latest attempt to reply in a conversation. */
export interface LatestGeneration {
  id: string;
  conversationId: string;
  state: GenerationState;
  userMessageId: string;
  startedAt: Date;
  errorCode: string | null;
  errorMessage: string | null;
}

const findLatest = {
  name: 'generations_latest',
  text: `
    select g.id, g.conversation_id as "conversationId", g.state, g.user_message_id as "userMessageId",
      g.created_at as "startedAt", g.error_code as "errorCode", g.error_message as "errorMessage"
    from unnest($1::text[]) as c (id)
    cross join lateral (
      select * from generations l where l.conversation_id = c.id and ${isOfAccount('l.user_id', '$2')} order by l.created_at desc limit 1
    ) g`,
};

/** Returns the latest attempt in each of the given conversations of the caller that has one. */
export const latestGenerationsOf = (ctx: Ctx, conversationIds: readonly string[]): Promise<LatestGeneration[]> =>
  ctx.sql<LatestGeneration>(findLatest, [conversationIds, callerId(ctx)]);

/** Details of the generation that wrote a stored reply. */
export interface ReplyGeneration {
  messageId: string;
  state: GenerationState;
  inputTokens: number | null;
  outputTokens: number | null;
  durationMs: number | null;
}

// Joins by the message that the reply answers, because that column is indexed and the id of the reply is not.
const findOfReplies = {
  name: 'generations_of_replies',
  text: `
    select m.id as "messageId", g.state, g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
      (extract(epoch from g.finished_at - g.created_at) * 1000)::integer as "durationMs"
    from messages m join generations g
      on g.user_message_id = m.parent_id and g.user_id = m.user_id and g.assistant_message_id = m.id
    where m.id = any ($1) and m.user_id = $2`,
};

/** Returns the generations that wrote the given messages of the caller, as far as they are replies. */
export const generationsOfReplies = (ctx: Ctx, messageIds: readonly string[]): Promise<ReplyGeneration[]> =>
  ctx.sql<ReplyGeneration>(findOfReplies, [messageIds, callerId(ctx)]);
