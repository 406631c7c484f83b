/** Returns a condition: the link of the share `s` works. It does not check the owner's account. */
export const isLive = (s: string): string => `
  ${s}.revoked_at is null and ${s}.removed_at is null
  and (${s}.conversation_id is null or exists (
    select from conversations c where c.id = ${s}.conversation_id and c.deleted_at is null))
  and exists (select from agents sa where sa.id = ${s}.agent_id and sa.deleted_at is null)`;
