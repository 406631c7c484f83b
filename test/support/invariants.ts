import type pg from 'pg';

/** Invariants of a database, whatever was broken; each returned row is a violation. */
const violations: Record<string, string> = {
  'a message without a position': `
    select id from messages m where not exists (select 1 from conversations c where c.id = m.conversation_id)`,
  'a conversation with a wrong message count': `
    select c.id from conversations c join agents a on a.id = c.agent_id
    where c.deleted_at is null and a.deleted_at is null and c.message_count <> (select count(*) from messages m where m.conversation_id = c.id)`,
  'two messages at one position': `
    select conversation_id from messages group by conversation_id, position having count(*) > 1`,
  'two replies to one attempt, or a complete attempt without a reply': `
    select g.id from generations g join conversations c on c.id = g.conversation_id join agents a on a.id = c.agent_id
    where c.deleted_at is null and a.deleted_at is null and g.state = 'complete'
      and (select count(*) from messages m where m.id = g.assistant_message_id) <> 1`,
  'a reply of a failed attempt that is not marked as broken, or a broken one of another attempt': `
    select g.id from generations g join messages m on m.id = g.assistant_message_id
    where (g.state in ('failed', 'interrupted')) <> m.broken`,
  'a failed attempt whose text was not kept': `
    select g.id from generations g join conversations c on c.id = g.conversation_id join agents a on a.id = c.agent_id
    where c.deleted_at is null and a.deleted_at is null and g.partial_text ~ '\\S'
      and not exists (select from messages m where m.id = g.assistant_message_id and m.content = g.partial_text)`,
  'a quota that is not the number of charged attempts': `
    select u.user_id from usage_counters u where u.messages <> (
      select count(*) from generations g where g.user_id = u.user_id and g.quota_day = u.day) + (
      select count(*) from room_turns t where t.payer_id = u.user_id and t.quota_day = u.day)`,
  'a room with a gap between its messages': `
    select r.id from rooms r where r.deleted_at is null
      and r.last_position <> (select count(*) from room_messages m where m.room_id = r.id)`,
  'a complete turn without its message, or a charged one without': `
    select t.id from room_turns t join rooms r on r.id = t.room_id and r.deleted_at is null
    where (t.state = 'complete' or (t.state in ('failed', 'refused', 'dropped') and t.quota_day is not null))
      and not exists (select from room_messages m where m.id = t.message_id)`,
  'a checkpoint of an ended turn': `
    select d.turn_id from room_turn_deltas d join room_turns t on t.id = d.turn_id where t.state <> 'running'`,
  'a failed attempt that is charged': `
    select id from generations where state in ('failed', 'interrupted') and quota_day is not null`,
  'a checkpoint of an ended attempt': `
    select d.generation_id from generation_deltas d join generations g on g.id = d.generation_id where g.state <> 'running'`,
  'a stored message without its event': `
    select m.id from messages m where not exists (
      select 1 from outbox_events e where e.type = 'message.created' and e.data->>'message_id' = m.id)`,
  'an agent that is not its live version': `
    select a.id from agents a left join agent_versions v on v.id = a.live_version_id and v.agent_id = a.id
    where a.live_version_id is not null and a.deleted_at is null
      and (a.instructions, a.model, a.greeting_message, a.voice_id)
        is distinct from (v.instructions, v.model, v.greeting_message, v.voice_id)`,
  'an experiment between two states': `
    select id from experiments where (status = 'draft') <> (started_at is null) or (status = 'ended') <> (ended_at is not null)
      or (ended_at is null) <> (ended_reason is null)
      or coalesce(ended_reason = 'concluded', false) <> (winner_version_id is not null)`,
  'an experiment without its events': `
    select x.id from experiments x where exists (
      select from (values ('experiment.started', x.started_at), ('experiment.ended', x.ended_at)) v (type, at)
      where (v.at is not null)::integer <> (
        select count(*) from outbox_events e where e.type = v.type and e.data->>'id' = x.id))`,
};

/** Returns the violations in the database by invariant; empty if there are none. */
export async function findViolations(db: pg.Pool): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(violations)) {
    const { rows } = await db.query(query);
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}
