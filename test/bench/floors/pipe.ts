import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { newId } from '../../../src/core/ids.ts';
import { admit, type Caller, createPool, readJson } from './caller.ts';
import { listen } from './listen.ts';

// B3: a proxy that stores the message and the reply with the SQL of the service, and passes the provider's bytes on as
// they arrive. POST /CONVERSATION takes the service's body.

const pool = createPool();
const upstream = process.env['UPSTREAM'] ?? '';
const agent = new Agent({ keepAlive: true });
const instanceId = 'bench';

const lock = {
  name: 'conversation_lock',
  text: `
    select c.user_id as "userId", u.plan, a.owner_id as "ownerId", a.is_public as "isPublic"
    from conversations c join users u on u.id = c.user_id join agents a on a.id = c.agent_id
    where c.id = $1 and c.user_id = $2
    for no key update of c`,
};
const lastGeneration = {
  name: 'turn_last_generation',
  text: `
    select g.id, g.state, g.user_message_id, um.content, g.conversation_id, g.is_regeneration, g.finished_at, g.delivered_at
    from generations g join messages um on um.id = g.user_message_id
    where g.conversation_id = $1 order by g.created_at desc, g.id desc limit 1`,
};
const lastMessage = {
  name: 'turn_last_message',
  text: `select id, role, content from messages where conversation_id = $1 and active order by position desc limit 1`,
};
const append = {
  name: 'message_append',
  text: `
    with c as (
      update conversations set last_position = last_position + 1, message_count = message_count + 1,
        event_sequence = event_sequence + 1, updated_at = $5
      where id = $2
      returning id, user_id, agent_id, last_position, event_sequence
    ), m as (
      insert into messages (id, conversation_id, user_id, position, role, content, citations, created_at, parent_id)
      select $1, c.id, c.user_id, c.last_position, $3, $4, null, $5, (
        select p.id from messages p where p.conversation_id = c.id and p.active order by p.position desc limit 1
      )
      from c
      returning parent_id
    ), v as (
      insert into agent_activity (agent_id, user_id, messages, created_at) select c.agent_id, c.user_id, 1, $5 from c
    )
    select last_position as position from c, m`,
};
const insertEvent = {
  name: 'outbox_insert',
  text: `
    with event as (
      insert into outbox_events (id, account_id, type, data, created_at, dispatched_at) values ($1, $2, $3, $4, $5, $5)
      returning seq, created_at
    )
    insert into outbox_queue (seq, event_created_at) select seq, created_at from event where has_subscriber($2, $3)`,
};
const countRunning = {
  name: 'generations_running',
  text: `select count(*) as running from generations where user_id = $1 and state = 'running'`,
};
const reserve = {
  name: 'quota_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages) values ($1, $2, 1)
    on conflict (user_id, day) do update set messages = u.messages + 1 where u.messages < $3
    returning messages`,
};
const insertGeneration = {
  name: 'generation_insert',
  text: `
    insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, quota_day, created_at)
    values ($1, $2, $3, $4, $5, 'running', $6, $7, $8)`,
};
const readContext = {
  name: 'generation_context',
  text: `
    select a.id, a.model, a.instructions, m.position, m.content
    from messages m join conversations c on c.id = m.conversation_id join agents a on a.id = c.agent_id
    where m.id = $1`,
};
const readHistory = {
  name: 'generation_history',
  text: `
    select role, content from messages where conversation_id = $1 and active and position < $2
    order by position desc limit 200`,
};
const endGeneration = {
  name: 'generation_complete',
  text: `update generations set state = 'complete', finished_at = $2, delivered_at = $2 where id = $1`,
};

interface Accepted {
  generationId: string;
  messageId: string;
  replyId: string;
}

listen((request, response) => void answer(request, response).catch(() => response.destroy()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const caller = await admit(pool, request);
  const conversationId = (request.url ?? '').slice(1);
  const content = String((await readJson(request))['content']);
  const accepted = await inTransaction((client) => accept(client, caller, conversationId, content));
  const messages = await promptOf(accepted.messageId, conversationId);
  const call = httpRequest(upstream, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
  call.end(JSON.stringify({ model: 'bench', messages, stream: true }));
  const stream = await new Promise<IncomingMessage>((resolve, reject) =>
    call.once('response', resolve).once('error', reject),
  );
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  await pipeline(stream, response, { end: false });
  await inTransaction((client) => complete(client, caller, conversationId, accepted));
  response.end();
}

async function accept(
  client: pg.PoolClient,
  caller: Caller,
  conversationId: string,
  content: string,
): Promise<Accepted> {
  const now = new Date();
  const { userId } = caller;
  const accepted = { generationId: newId('gen_'), messageId: newId('msg_'), replyId: newId('msg_') };
  await client.query({ ...lock, values: [conversationId, userId] });
  await client.query({ ...lastGeneration, values: [conversationId] });
  await client.query({ ...lastMessage, values: [conversationId] });
  await client.query({ ...append, values: [accepted.messageId, conversationId, 'user', content, now] });
  await client.query({ ...insertEvent, values: [newId('evt_'), userId, 'message.created', eventOf(content), now] });
  await client.query({ ...countRunning, values: [userId] });
  await client.query({ ...reserve, values: [userId, now.toISOString().slice(0, 10), 2_147_483_647] });
  const attempt = [accepted.generationId, conversationId, userId, accepted.messageId, accepted.replyId];
  await client.query({ ...insertGeneration, values: [...attempt, instanceId, now, now] });
  return accepted;
}

async function promptOf(messageId: string, conversationId: string) {
  const [row] = (
    await pool.query<{ instructions: string; position: number; content: string }>({
      ...readContext,
      values: [messageId],
    })
  ).rows;
  const { rows } = await pool.query({ ...readHistory, values: [conversationId, row?.position] });
  return [{ role: 'system', content: row?.instructions }, ...rows.reverse(), { role: 'user', content: row?.content }];
}

async function complete(
  client: pg.PoolClient,
  caller: Caller,
  conversationId: string,
  accepted: Accepted,
): Promise<void> {
  const now = new Date();
  await client.query({ ...lock, values: [conversationId, caller.userId] });
  await client.query({ ...endGeneration, values: [accepted.generationId, now] });
  await client.query({ ...append, values: [accepted.replyId, conversationId, 'assistant', 'A reply.', now] });
  await client.query({
    ...insertEvent,
    values: [newId('evt_'), caller.userId, 'message.created', eventOf('A reply.'), now],
  });
}

const eventOf = (content: string): string => JSON.stringify({ content });

async function inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}
