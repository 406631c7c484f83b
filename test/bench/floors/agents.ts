import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId, newUuid } from '../../../src/core/ids.ts';
import { admit, type Caller, createPool, readJson } from './caller.ts';
import { listen } from './listen.ts';

// B1: the agent routes written by hand on node:http and pg, with the same SQL and the same bytes.

const pool = createPool();

interface AgentRow {
  [column: string]: unknown;
  ownerId: string;
}

const columns = `
  a.id, a.owner_id as "ownerId", a.name, a.description, a.instructions, a.model, a.avatar_url as "avatarUrl",
  a.is_public as "isPublic", a.category, a.greeting_message as "greetingMessage", a.voice_id as "voiceId",
  a.message_count + coalesce((select sum(v.messages) from agent_activity v where v.agent_id = a.id), 0)::bigint as "messageCount",
  a.event_sequence as "eventSequence", a.created_at as "createdAt", a.updated_at as "updatedAt"`;
const getAgent = { name: 'agent_get', text: `select ${columns} from agents a where a.id = $1` };
const listAgents = {
  name: 'agents_list',
  text: `select ${columns} from agents a where a.owner_id = $1 order by a.created_at desc, a.id desc limit $2 offset $3`,
};
const countAgents = { name: 'agents_count', text: `select count(*) as total from agents where owner_id = $1` };
const lockUser = { name: 'user_lock_plan', text: `select plan from users where id = $1 for no key update` };
const insertAgent = {
  name: 'agent_insert',
  text: `
    insert into agents (id, owner_id, name, description, instructions, model, avatar_url, is_public, category, greeting_message,
      voice_id, message_count, event_sequence, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 1, $12, $12)`,
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

listen((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const caller = await admit(pool, request);
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/graphql') {
    const { variables } = await readJson(request);
    const agent = await findAgent((variables as { id: string }).id);
    // Apollo Server ends its responses with a line break.
    return send(response, 200, { data: { agent: graphqlAgent(agent) } }, '\n');
  }
  if (url.pathname !== '/v1/agents') return send(response, 200, wholeAgent(await findAgent(url.pathname.slice(11))));
  if (request.method === 'POST') return send(response, 201, await createAgent(caller, await readJson(request)));
  return send(response, 200, await agentsOf(caller, Number(url.searchParams.get('limit') ?? 20)));
}

function send(response: ServerResponse, status: number, body: unknown, end = ''): void {
  const text = JSON.stringify(body) + end;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function findAgent(id: string): Promise<AgentRow> {
  const [agent] = (await pool.query<AgentRow>({ ...getAgent, values: [id] })).rows;
  if (!agent) throw new Error('no such agent');
  return agent;
}

async function agentsOf(caller: Caller, limit: number) {
  const [agents, counted] = await Promise.all([
    pool.query<AgentRow>({ ...listAgents, values: [caller.userId, limit, 0] }),
    pool.query<{ total: string }>({ ...countAgents, values: [caller.userId] }),
  ]);
  return { data: agents.rows.map(listedAgent), total: Number(counted.rows[0]?.total), limit, offset: 0 };
}

async function createAgent(caller: Caller, input: Record<string, unknown>) {
  const now = new Date();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...lockUser, values: [caller.userId] });
    await client.query({ ...countAgents, values: [caller.userId] });
    const agent = {
      id: newUuid(),
      ownerId: caller.userId,
      name: input['name'],
      description: input['description'] ?? null,
      instructions: input['instructions'],
      model: input['model'] ?? 'default',
      avatarUrl: input['avatar_url'] ?? null,
      isPublic: input['is_public'] ?? false,
      category: input['category'] ?? null,
      greetingMessage: input['greeting_message'] ?? null,
      voiceId: input['voice_id'] ?? null,
      messageCount: 0,
      createdAt: now,
      updatedAt: now,
    };
    const { id, ownerId, name, description, instructions, model, avatarUrl, isPublic, category } = agent;
    const rest = [agent.greetingMessage, agent.voiceId, now];
    const row = [id, ownerId, name, description, instructions, model, avatarUrl, isPublic, category, ...rest];
    await client.query({ ...insertAgent, values: row });
    const data = JSON.stringify({ ...wholeAgent(agent), sequence: 1 });
    await client.query({ ...insertEvent, values: [newId('evt_'), ownerId, 'agent.created', data, now] });
    await client.query('commit');
    return wholeAgent(agent);
  } finally {
    client.release();
  }
}

const wholeAgent = (agent: AgentRow) => ({
  id: agent['id'],
  name: agent['name'],
  description: agent['description'],
  instructions: agent['instructions'],
  model: agent['model'],
  avatar_url: agent['avatarUrl'],
  is_public: agent['isPublic'],
  category: agent['category'],
  greeting_message: agent['greetingMessage'],
  voice_id: agent['voiceId'],
  message_count: Number(agent['messageCount']),
  creator_id: agent.ownerId,
  created_at: agent['createdAt'],
  updated_at: agent['updatedAt'],
});

const listedAgent = (agent: AgentRow) => ({
  id: agent['id'],
  name: agent['name'],
  description: agent['description'],
  model: agent['model'],
  avatar_url: agent['avatarUrl'],
  is_public: agent['isPublic'],
  category: agent['category'],
  message_count: Number(agent['messageCount']),
  created_at: agent['createdAt'],
  updated_at: agent['updatedAt'],
});

const graphqlAgent = (agent: AgentRow) => ({
  id: agent['id'],
  name: agent['name'],
  description: agent['description'],
  instructions: agent['instructions'],
  model: String(agent['model']).toUpperCase(),
  avatarUrl: agent['avatarUrl'],
  isPublic: agent['isPublic'],
  category: String(agent['category']).toUpperCase(),
  greetingMessage: agent['greetingMessage'],
  voiceId: agent['voiceId'],
  messageCount: Number(agent['messageCount']),
  creatorId: agent.ownerId,
  createdAt: agent['createdAt'],
  updatedAt: agent['updatedAt'],
});
