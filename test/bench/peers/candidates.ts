import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJson, mark, postJson } from './http.ts';
import { peerFolder } from './install.ts';
import { seed } from '../lab/seed.ts';
import type { StreamRequest } from '../lab/streams.ts';
import type { Bench, BenchProcess } from '../row.ts';

/** A message as the candidate stored it. */
export interface StoredMessage {
  role: string;
  text: string;
}

/** A message to send. `id` is used with the candidate's own mechanism against duplicates, if it has one. */
export interface Sent {
  conversationId: string;
  id: string;
  text: string;
}

/** A service to compare, with its own database and its own routes. */
export interface Candidate {
  /** Null if it does not use PostgreSQL. */
  databaseUrl: string | null;
  /** Starts it. Can be called again after its process was killed. */
  start(): Promise<BenchProcess>;
  newConversation(process: BenchProcess): Promise<string>;
  request(process: BenchProcess, sent: Sent): StreamRequest;
  read(process: BenchProcess, conversationId: string): Promise<StoredMessage[]>;
  /** Returns what can be read of an interrupted reply. `received` is what its client had received. */
  readPartial?(process: BenchProcess, conversationId: string, received: string): Promise<string>;
}

export interface CandidateKind {
  name: string;
  /** Folder with its package.json; null for this service. */
  folder: string | null;
  open: (bench: Bench, providerUrl: string) => Promise<Candidate>;
}

export const candidateKinds: readonly CandidateKind[] = [
  { name: 'Agent Chat Service', folder: null, open: openOwn },
  { name: 'Mastra', folder: 'mastra', open: openMastra },
  { name: 'VoltAgent', folder: 'voltagent', open: openVoltAgent },
  { name: 'LangGraph API', folder: 'langgraph', open: openLangGraph },
];

async function openOwn(bench: Bench, providerUrl: string): Promise<Candidate> {
  const seeded = await seed(bench);
  const { databaseUrl, headers } = seeded;
  const [agentId = ''] = await seeded.addAgents(1);
  const atOnce = JSON.stringify({ perAccount: 1_000, perAccountAtOnce: 1_000 });
  const env = { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${providerUrl}/v1`, GENERATION_LIMITS: atOnce };
  const messages = ({ url }: BenchProcess, id: string) => `${url}/v1/conversations/${id}/messages`;
  return {
    databaseUrl,
    start: () => bench.startService({ databaseUrl, env }),
    newConversation: async () => (await seeded.addConversations(agentId, 1))[0] ?? '',
    request: (process, { conversationId, id, text }) => ({
      url: `${messages(process, conversationId)}/stream`,
      headers: { ...headers, 'idempotency-key': id },
      body: { content: text },
      mark,
    }),
    read: async (process, id) => {
      const { data } = await getJson<{ data: { role: string; content: string }[] }>(
        `${messages(process, id)}?limit=100`,
        headers,
      );
      return data.map(({ role, content }) => ({ role, text: content })).toReversed();
    },
    readPartial: async ({ url }, conversationId, received) => {
      const id = /"generation_id":"([^"]+)"/.exec(received)?.[1];
      const path = `/v1/conversations/${conversationId}/generations/${id}/stream`;
      return (await fetch(`${url}${path}`, { headers })).text();
    },
  };
}

async function openMastra(bench: Bench, providerUrl: string): Promise<Candidate> {
  const databaseUrl = await bench.createDatabase({ isEmpty: true });
  const env = { ...common(providerUrl), DATABASE_URL: databaseUrl, MASTRA_TELEMETRY_DISABLED: '1' };
  return {
    databaseUrl,
    start: () => bench.startFloor(join(peerFolder('mastra'), 'server.mjs'), env),
    newConversation: async () => randomUUID(),
    request: ({ url }, { conversationId, id, text }) => ({
      url: `${url}/api/agents/tutor/stream`,
      headers: {},
      body: {
        messages: [{ id, role: 'user', content: text }],
        memory: { thread: conversationId, resource: 'bench' },
      },
      mark,
    }),
    read: async ({ url }, id) => {
      const { messages } = await getJson<{ messages: { role: string; content: Parts }[] }>(
        `${url}/api/memory/threads/${id}/messages?agentId=tutor&perPage=100`,
      );
      return messages.map(({ role, content }) => ({ role, text: textOf(content) }));
    },
  };
}

async function openVoltAgent(bench: Bench, providerUrl: string): Promise<Candidate> {
  const databaseUrl = await bench.createDatabase({ isEmpty: true });
  const env = { ...common(providerUrl), DATABASE_URL: databaseUrl };
  return {
    databaseUrl,
    start: () => bench.startFloor(join(peerFolder('voltagent'), 'server.mjs'), env),
    newConversation: async () => randomUUID(),
    request: ({ url }, { conversationId, id, text }) => ({
      url: `${url}/agents/tutor/stream`,
      headers: {},
      body: {
        input: [{ id, role: 'user', parts: [{ type: 'text', text }] }],
        options: { memory: { userId: 'bench', conversationId } },
      },
      mark,
    }),
    read: async ({ url }, id) => {
      const { data } = await getJson<{ data: { messages: (Parts & { role: string })[] } }>(
        `${url}/api/memory/conversations/${id}/messages?agentId=tutor&userId=bench&limit=100`,
      );
      return data.messages.map((message) => ({ role: message.role, text: textOf(message) }));
    },
  };
}

async function openLangGraph(bench: Bench, providerUrl: string): Promise<Candidate> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-langgraph-'));
  bench.defer(() => rm(folder, { recursive: true, force: true }));
  const env = { ...common(providerUrl), WORK_DIR: folder };
  return {
    databaseUrl: null,
    start: () => bench.startFloor(join(peerFolder('langgraph'), 'server.mjs'), env),
    newConversation: async ({ url }) => (await postJson<{ thread_id: string }>(`${url}/threads`, {})).thread_id,
    request: ({ url }, { conversationId, id, text }) => ({
      url: `${url}/threads/${conversationId}/runs/stream`,
      headers: {},
      body: {
        assistant_id: 'tutor',
        input: { messages: [{ id, role: 'user', content: text }] },
        stream_mode: ['messages-tuple'],
        // Otherwise a client that disconnects would end the reply.
        on_disconnect: 'continue',
      },
      mark,
    }),
    read: async ({ url }, id) => {
      const { values } = await getJson<{ values?: { messages?: { type: string; content: string }[] } }>(
        `${url}/threads/${id}/state`,
      );
      const roles: Record<string, string> = { human: 'user', ai: 'assistant' };
      return (values?.messages ?? []).map(({ type, content }) => ({ role: roles[type] ?? type, text: content }));
    },
  };
}

const common = (providerUrl: string) => ({ OPENAI_BASE_URL: `${providerUrl}/v1`, NODE_ENV: 'production' });

interface Parts {
  parts: { type: string; text?: string }[];
}
const textOf = ({ parts }: Parts): string => parts.map(({ text }) => text ?? '').join('');
