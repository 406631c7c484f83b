import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { type FaultHarness, openFaultHarness, percentile, sharedEnv, signUpCreator } from './fault-harness.ts';

const streams = countOf({ quick: 400, long: 10_000 });
const tokens = countOf({ quick: 18, long: 300 });
const atOnce = 50;
/** Streams started in a tenth of a second; more at once would get 503. */
const startsAtOnce = countOf({ quick: 10, long: 20 });
/** The quick form shares the processors with other scenarios. */
const lateLimitMs = countOf({ quick: 2_000, long: 500 });
/** With few streams, the memory of a fresh instance dominates, so the figure is only noted. */
const residentLimitBytes = countOf({ quick: Infinity, long: 60_000 });

let harness: FaultHarness;
const provider = spawn(process.execPath, [fileURLToPath(new URL('../clock-provider.ts', import.meta.url))], {
  env: { ...process.env, TOKENS: `${tokens}` },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let providerUrl: string;

beforeAll(async () => {
  const [url] = (await once(provider.stdout, 'data')) as [Buffer];
  providerUrl = url.toString().trim();
  harness = await openFaultHarness();
});
afterAll(async () => {
  await harness.close();
  provider.kill();
});

interface Reading {
  messageId: string;
  text: string;
  ends: string;
}

/** Reads a reply to its end and records how old each token was on arrival. */
async function read(service: Client, as: string, id: string, agesMs: number[]): Promise<Reading> {
  const reading: Reading = { messageId: '', text: '', ends: 'cut' };
  const path = `/v1/conversations/${id}/messages/stream`;
  for await (const { event, data } of service.stream(path, { as, body: { content: `What time is it? ${id}` } })) {
    reading.ends = event;
    if (event === 'delta') {
      for (const written of (data.content as string).match(/\d+/g) ?? []) agesMs.push(Date.now() - Number(written));
      reading.text += data.content;
    } else if (event === 'done') reading.messageId = data.message_id;
  }
  return reading;
}

const residentBytes = async (pid: number): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

test(
  'completes hundreds of streams at once on two instances, and stores them as they were read',
  async ({ task }) => {
    const env = {
      OPENAI_BASE_URL: providerUrl,
      GENERATION_LIMITS: JSON.stringify({ perAccount: 20_000, perAccountAtOnce: 20_000, perInstance: 20_000 }),
      RATE_LIMITS: JSON.stringify({ ...(JSON.parse(sharedEnv.RATE_LIMITS) as object), creator: 1e7 }),
    };
    const instances = await Promise.all([harness.start(env), harness.start(env)]);
    const [first] = instances;
    const { token: as } = await signUpCreator(first, harness.db);
    const { agent_id } = await first.createConversation(as);
    const ids: string[] = [];
    while (ids.length < streams) {
      const made = Array.from({ length: Math.min(atOnce, streams - ids.length) }, () =>
        first.call('POST', '/v1/conversations', { as, body: { agent_id } }),
      );
      ids.push(...(await Promise.all(made)).map(({ body }) => body.id as string));
    }
    const sizes = () => Promise.all(instances.map(({ pid }) => residentBytes(pid)));
    const before = await sizes();
    const agesMs: number[] = [];
    const reading: Promise<Reading>[] = [];
    for (const [n, id] of ids.entries()) {
      reading.push(read(instances[n % 2]!, as, id, agesMs));
      if (n % startsAtOnce === 0) await sleep(100);
    }
    const most = [...before];
    const watch = setInterval(() => {
      const keep = (now: number[]) => now.forEach((bytes, i) => (most[i] = Math.max(most[i] ?? 0, bytes)));
      void sizes().then(keep, () => undefined);
    }, 500);
    const replies = await Promise.all(reading).finally(() => clearInterval(watch));

    expect(replies.filter(({ ends }) => ends !== 'done')).toEqual([]);
    const { rows } = await harness.db.query<{ id: string; content: string }>(
      `select id, content from messages where role = 'assistant' and id = any ($1)`,
      [replies.map(({ messageId }) => messageId)],
    );
    const stored = new Map(rows.map(({ id, content }) => [id, content]));
    expect(stored.size).toBe(streams);
    expect(replies.filter(({ messageId, text }) => stored.get(messageId) !== text)).toEqual([]);
    expect(agesMs.length).toBe(streams * tokens);
    expect(await findViolations(harness.db)).toEqual({});
    const lateMs = percentile(agesMs, 0.99);
    const bytesPerStream = most.reduce((sum, bytes, i) => sum + bytes - (before[i] ?? 0), 0) / streams;
    expect(lateMs).toBeLessThan(lateLimitMs);
    expect(bytesPerStream).toBeLessThan(residentLimitBytes);
    report(
      { task },
      {
        times: `${streams} streams of ${tokens} s`,
        checked: `${streams} replies, ${agesMs.length} tokens`,
        note: `p99 from the provider's write to the client ${lateMs} ms; ${(bytesPerStream / 1_000).toFixed(0)} kB resident more for each stream`,
      },
    );
  },
  (tokens + countOf({ quick: 100, long: 600 })) * 1_000,
);
