import { owns } from '../../core/actor.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import { notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { listSharedFeedbackInput } from '../conversation.input.ts';
import { inLiveConversation } from '../deleted.ts';
import type { Rating } from './message-feedback.entity.ts';

/** A rating that a user has shared with the owner of the agent, with its exchange. It does not identify the user. */
export interface SharedFeedback {
  messageId: string;
  rating: Rating;
  comment: string | null;
  /** Message that the reply answers; null when the reply is a greeting. */
  question: string | null;
  reply: string;
  /** Version of the agent that replied; null when it is no longer recorded. */
  versionId: string | null;
  versionNumber: number | null;
  sharedAt: Date;
}

// Reads the rows of the user directly, so that a rating that they revoke or delete disappears immediately.
const shared = (joins: string): string => `
  message_feedback f join messages m on m.id = f.message_id and m.user_id = f.user_id join users u on u.id = f.user_id ${joins}
  where f.shared_agent_id = $1 and u.deletion_requested_at is null and ${inLiveConversation('m')}`;
const questionAndVersion = `
  left join messages q on q.id = m.parent_id and q.user_id = m.user_id
  left join lateral (
    select v.id, v.number from generations g join agent_versions v on v.id = g.version_id
    where g.user_message_id = m.parent_id and g.user_id = m.user_id and g.assistant_message_id = m.id limit 1
  ) v on true`;

const listOfAgent = orderedList<SharedFeedback>({
  name: 'shared_feedback_list',
  columns: `f.message_id as "messageId", f.rating, f.comment, q.content as question, m.content as reply,
    v.id as "versionId", v.number as "versionNumber", f.shared_at as "sharedAt"`,
  from: shared(questionAndVersion),
  valueCount: 1,
  key: { column: 'f.shared_at', kind: 'time', of: ({ sharedAt }) => sharedAt },
  id: { column: 'f.message_id', of: ({ messageId }) => messageId },
});
const countOfAgent = { name: 'shared_feedback_count', text: `select count(*) as total from ${shared('')}` };

/**
 * Lists the feedback that users share with the caller, who owns the agent, newest first.
 * @throws AppError `invalid_request`, `not_found`, also for a public agent of another user
 */
export async function listSharedFeedback(ctx: Ctx, agentId: string, input: unknown): Promise<Page<SharedFeedback>> {
  const page = parseInput(listSharedFeedbackInput, input);
  const agent = await getAgent(ctx, agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  return withTotal(ctx, readSlice(ctx, listOfAgent, [agent.id], page), page, countOfAgent, [agent.id]);
}
