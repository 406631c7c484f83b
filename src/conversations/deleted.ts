/**
 * SQL conditions that hide what is deleted but not removed yet: conversations that are marked themselves, and all of an
 * agent that is. Only the marked rows are indexed, so this costs next to nothing while nothing waits for its removal.
 */

const ofDeletedAgent = (conversation: string): string =>
  `exists (select from agents d where d.id = ${conversation}.agent_id and d.deleted_at is not null)`;

/** Condition on a row of `conversations` with this alias: neither it nor its agent is deleted. */
export const isKept = (alias: string): string => `(${alias}.deleted_at is null and not ${ofDeletedAgent(alias)})`;

/** Condition on a row that has a `conversation_id`: neither the conversation nor its agent is deleted. */
export const isOfKept = (alias: string): string => `
  not exists (select from conversations k where k.id = ${alias}.conversation_id and k.deleted_at is not null)
  and not exists (
    select from agents d join conversations k on k.agent_id = d.id
    where d.deleted_at is not null and k.id = ${alias}.conversation_id)`;
