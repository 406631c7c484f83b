/**
 * SQL condition: the agent of the conversation is deleted. The conditions in this file hide rows that are marked as
 * deleted but not removed yet. Only marked rows are indexed, so the check costs next to nothing while none wait for
 * removal.
 */

const ofDeletedAgent = (conversation: string): string =>
  `exists (select from agents d where d.id = ${conversation}.agent_id and d.deleted_at is not null)`;

/** Returns the condition that neither the row of `conversations` with this alias nor its agent is deleted. */
export const isLiveConversation = (alias: string): string =>
  `(${alias}.deleted_at is null and not ${ofDeletedAgent(alias)})`;

/** Returns the condition that neither the conversation of a row with a `conversation_id` nor its agent is deleted. */
export const inLiveConversation = (alias: string): string => `
  not exists (select from conversations k where k.id = ${alias}.conversation_id and k.deleted_at is not null)
  and not exists (
    select from agents d join conversations k on k.agent_id = d.id
    where d.deleted_at is not null and k.id = ${alias}.conversation_id)`;
