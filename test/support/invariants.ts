import type pg from 'pg';

/** What must hold for every conversation of a database, whatever was broken; each row is a violation. */
const violations: Record<string, string> = {
  'a message without its place': `
    select id from messages m where not exists (select 1 from conversations c where c.id = m.conversation_id)`,
  'a conversation that counts wrong': `
    select c.id from conversations c where c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)`,
  'two messages at one place': `
    select conversation_id from messages group by conversation_id, position having count(*) > 1`,
  'two replies to one attempt, or a complete attempt without its reply': `
    select g.id from generations g where g.state = 'complete'
      and (select count(*) from messages m where m.id = g.assistant_message_id) <> 1`,
  'a reply of an attempt that failed': `
    select g.id from generations g join messages m on m.id = g.assistant_message_id where g.state in ('failed', 'interrupted')`,
  'a quota that is not the number of charged attempts': `
    select u.user_id from usage_counters u where u.messages <> (
      select count(*) from generations g where g.user_id = u.user_id and g.quota_day = u.day)`,
  'an attempt that failed and is charged': `
    select id from generations where state in ('failed', 'interrupted') and quota_day is not null`,
  'a stored message without its event': `
    select m.id from messages m where not exists (
      select 1 from outbox_events e where e.type = 'message.created' and e.data->>'message_id' = m.id)`,
};

/** Every violation in the database, by its name; empty when all is well. */
export async function findViolations(db: pg.Pool): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(violations)) {
    const { rows } = await db.query(query);
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}
