import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type pg from 'pg';
import type { OpenAiSimulator } from '../../../src/simulators/openai.ts';
import type { Account, Answer, Client } from '../../support/client.ts';
import { findViolations } from '../../support/invariants.ts';
import { eventually } from '../../support/eventually.ts';

/** What clients received, and what they sent without a response. */
interface Ledger {
  /** Contents of messages, by conversation. */
  messages: { conversationId: string; content: string; reply: string }[];
  agents: Map<string, string>;
  /** Responses that are neither a success nor in `allowed`. */
  refusals: string[];
  /** Durations of completed requests in milliseconds. */
  timesMs: number[];
  unanswered: number;
  unavailable: number;
}

interface LoadOptions {
  /** The current service: a scenario replaces it after a kill. */
  service: () => Client;
  account: Account;
  conversations: readonly string[];
  model: OpenAiSimulator;
  /** Pause of each client between two requests. */
  pauseMs?: number;
}

export interface Load {
  ledger: Ledger;
  /** Number of successful requests. */
  acknowledged(): number;
  stop(): Promise<void>;
}

/**
 * One client a conversation: sends messages and waits for the reply, creates agents and reads, without pauses.
 * A message without a reply is sent again until it gets one, as clients do.
 */
export function startLoad({ service, account, conversations, model, pauseMs = 20 }: LoadOptions): Load {
  const over = new AbortController();
  const ledger: Ledger = { messages: [], agents: new Map(), refusals: [], timesMs: [], unanswered: 0, unavailable: 0 };
  const as = account.token;

  async function ask(method: string, path: string, body?: object): Promise<Answer | null> {
    const startMs = performance.now();
    try {
      const answer = await service().call(method, path, { as, body, signal: AbortSignal.timeout(40_000) });
      if (answer.status === 503 && answer.headers.get('retry-after') !== null) ledger.unavailable++;
      else if (answer.status >= 400 && answer.status !== 409) {
        ledger.refusals.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return answer;
    } catch {
      ledger.unanswered++;
      return null;
    } finally {
      ledger.timesMs.push(performance.now() - startMs);
    }
  }

  async function send(conversationId: string): Promise<void> {
    const content = `message ${randomUUID()}`;
    const reply = `reply to ${content}`;
    model.script({ when: content, deltas: [reply.slice(0, 9), reply.slice(9)], times: 50 });
    while (!over.signal.aborted) {
      const answer = await ask('POST', `/v1/conversations/${conversationId}/messages`, { content });
      if (answer?.status === 201) return void ledger.messages.push({ conversationId, content, reply });
      await sleep(100);
    }
  }

  async function client(conversationId: string): Promise<void> {
    while (!over.signal.aborted) {
      await send(conversationId);
      const name = `agent ${randomUUID()}`;
      const made = await ask('POST', '/v1/agents', { name, instructions: 'Be brief.' });
      if (made?.status === 201) ledger.agents.set(made.body.id as string, name);
      await ask('GET', `/v1/conversations/${conversationId}`);
      await sleep(pauseMs);
    }
  }

  const clients = Promise.all(conversations.map(client));
  return {
    ledger,
    acknowledged: () => ledger.messages.length + ledger.agents.size,
    stop: async () => {
      over.abort();
      await clients;
    },
  };
}

/** Compares what was acknowledged with the database after all replies have ended. Returns what was checked. */
export async function audit(db: pg.Pool, { ledger }: Load): Promise<string> {
  await eventually(async () => (await db.query(`select 1 from generations where state = 'running'`)).rowCount === 0, {
    timeoutMs: 45_000,
    what: 'the end of every reply',
  });
  const { rows } = await db.query<{ id: string; content: string; n: number }>(
    `select conversation_id as id, content, count(*)::int as n from messages where active group by 1, 2`,
  );
  const stored = new Map(rows.map(({ id, content, n }) => [`${id} ${content}`, n]));
  for (const { conversationId, content, reply } of ledger.messages) {
    const found = [stored.get(`${conversationId} ${content}`), stored.get(`${conversationId} ${reply}`)];
    expect({ content, found }).toEqual({ content, found: [1, 1] });
  }
  const agents = await db.query<{ id: string; name: string }>('select id, name from agents');
  const names = new Map(agents.rows.map(({ id, name }) => [id, name]));
  for (const [id, name] of ledger.agents) expect({ id, name: names.get(id) }).toEqual({ id, name });
  expect(await findViolations(db)).toEqual({});
  expect(ledger.refusals).toEqual([]);
  return `${ledger.messages.length} messages, ${ledger.agents.size} agents`;
}
