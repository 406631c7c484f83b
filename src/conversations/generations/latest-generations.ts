import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { ModelId } from '../../agents/models.ts';
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
      select * from generations l where l.conversation_id = c.id and ${ofAccountUnindexed('l.user_id', '$2')} order by l.created_at desc limit 1
    ) g`,
};

/** Returns the latest attempt in each of the given conversations of the caller that has one. */
export const latestGenerationsOf = (ctx: Ctx, conversationIds: readonly string[]): Promise<LatestGeneration[]> =>
  ctx.sql<LatestGeneration>(findLatest, [conversationIds, callerId(ctx)]);

/** How a stored reply was generated, or why a message of a person has none. */
export interface MessageGeneration {
  messageId: string;
  state: GenerationState;
  /** Null when an earlier release wrote the generation. */
  model: ModelId | null;
  inputTokens: number | null;
  outputTokens: number | null;
  durationMs: number | null;
  errorCode: string | null;
  errorMessage: string | null;
}

// Replies are joined by the message that they answer, because that column is indexed and the id of the reply is not.
const findOfMessages = {
  name: 'generations_of_messages',
  text: `
    select m.id as "messageId", g.state, v.model, g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
      (extract(epoch from g.finished_at - g.created_at) * 1000)::integer as "durationMs",
      g.error_code as "errorCode", g.error_message as "errorMessage"
    from messages m
    cross join lateral (
      select * from generations l
      where l.user_message_id = case m.role when 'user' then m.id else m.parent_id end and l.user_id = m.user_id
        and (m.role = 'user' or l.assistant_message_id = m.id)
      order by l.created_at desc limit 1
    ) g
    left join agent_versions v on v.id = g.version_id
    where m.id = any ($1) and m.user_id = $2 and (m.role <> 'user' or g.state in ('failed', 'interrupted'))`,
};

/** Returns how the given messages of the caller were generated, or why the latest attempt to reply to them failed. */
export const generationsOfMessages = (ctx: Ctx, messageIds: readonly string[]): Promise<MessageGeneration[]> =>
  ctx.sql<MessageGeneration>(findOfMessages, [messageIds, callerId(ctx)]);
