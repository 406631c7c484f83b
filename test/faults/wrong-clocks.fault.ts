import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fileForm } from '../support/knowledge.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { answer, startWebhookReceiver, trustedAuthority, type WebhookReceiver } from '../support/webhook-receiver.ts';

const shiftedClock = new URL('../support/shifted-clock.ts', import.meta.url).href;
const retryDelaySeconds = 2;

let folder: string;
let receiver: WebhookReceiver;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Pool;
const running = new Set<ServiceProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-clocks-'));
  await writeFile(join(folder, 'ca.pem'), (await trustedAuthority()).ca);
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  database = await createTestDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
  receiver.received.length = 0;
});
afterEach(async () => {
  await Promise.all([...running].map((service) => service.kill()));
  running.clear();
  await db.end();
  await database.drop();
});
afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(shift: Record<string, string> = {}): Promise<ServiceProcess> {
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 's'.repeat(40),
    ENCRYPTION_KEYS: 'e'.repeat(40),
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    WEBHOOK_RETRY_DELAYS: `${retryDelaySeconds}`,
    ...shift,
  };
  const nodeArgs = Object.keys(shift).length > 0 ? [`--import=${shiftedClock}`] : [];
  const service = await startServiceProcess(env, { nodeArgs });
  running.add(service);
  return service;
}

const counts = async (text: string): Promise<number> => (await db.query<{ n: number }>(text)).rows[0]?.n ?? 0;

describe.each([120_000, -120_000])('one of two instances whose clock is wrong by %i ms', (shiftMs) => {
  test('doubles no message, delivery, task or request, and refreshes sessions', async () => {
    const [right, wrong] = await Promise.all([start(), start({ CLOCK_SHIFT_MS: String(shiftMs) })]);
    const both = [right, wrong];
    const at = (i: number): ServiceProcess => both[i % 2] as ServiceProcess;
    const ada = await right.signUp();
    const { token } = ada;
    await db.query(`update users set plan = 'creator' where id = $1`, [ada.id]);

    // Webhooks: every first attempt fails.
    const seen = new Set<string>();
    receiver.behave((response, { event }, socket) => {
      const again = seen.has(event.id);
      seen.add(event.id);
      answer(again ? 200 : 500)(response, { event } as never, socket);
    });
    const hook = { url: receiver.url, events: ['agent.created'] };
    expectStatus(await right.call('POST', '/v1/webhooks', { as: token, body: hook }), 201);
    const agents = ['A', 'B', 'C'];
    for (const [i, name] of agents.entries()) await at(i).createAgent(token, { name, greeting_message: 'Hi.' });

    // Sending: on either instance in turn.
    const conversation = await right.createConversation(token);
    const path = `/v1/conversations/${conversation.id}/messages`;
    for (let i = 0; i < 6; i++)
      expectStatus(await at(i).call('POST', path, { as: token, body: { content: `Message ${i}` } }), 201);

    // Idempotency: the same request on both at once, and again.
    const headers = { 'Idempotency-Key': 'one' };
    const body = { name: 'Keyed', instructions: 'Be brief.', greeting_message: 'Hi.' };
    const keyed = await Promise.all(both.map((one) => one.call('POST', '/v1/agents', { as: token, body, headers })));
    const replay = await wrong.call('POST', '/v1/agents', { as: token, body, headers });
    const ids = [...keyed, replay].filter(({ status }) => status === 201).map((made) => made.body.id);
    expect(new Set(ids).size).toBe(1);

    // Refreshing on both, with the same token within its window.
    const credentials = { email: ada.email, password: ada.password };
    const login = expectStatus(await right.call('POST', '/v1/auth/login', { body: credentials }), 200).body;
    const refresh = { refresh_token: login.refresh_token };
    for (const one of [wrong, right, wrong])
      expectStatus(await one.call('POST', '/v1/auth/refresh', { body: refresh }), 200);

    // Windows end for both at the same time.
    const resets = await Promise.all(
      both.map(async (one) =>
        Number((await one.call('GET', '/v1/agents', { as: token })).headers.get('x-ratelimit-reset')),
      ),
    );
    expect(new Set(resets).size).toBe(1);
    expect(resets[0]).toBeLessThan(Date.now() / 1000 + 62);

    await eventually(() => seen.size === 5 && receiver.received.length === 10, { what: 'the retries' });
    await eventually(async () => (await counts(`select count(*)::int as n from tasks where state <> 'pending'`)) === 0);
    for (const id of seen) {
      const attempts = receiver.received.filter(({ event }) => event.id === id);
      expect(attempts).toHaveLength(2);
      expect((attempts[1]?.at ?? 0) - (attempts[0]?.at ?? 0)).toBeGreaterThanOrEqual(retryDelaySeconds * 1_000 - 50);
      for (const { headers: sent, at: arrivedAt } of attempts)
        expect(Math.abs(Number(sent['x-agent-timestamp']) - arrivedAt / 1_000)).toBeLessThan(10);
    }
    expect(await counts(`select count(*)::int as n from messages where role = 'user'`)).toBe(6);
    expect(await counts(`select coalesce(max(attempts), 0)::int as n from tasks`)).toBe(0);
    const usage = (await right.call('GET', '/v1/billing/usage', { as: token })).body.usage;
    expect(usage.messages_sent).toBe(6);
    const latest = await db.query<{ s: number }>(
      `select max(abs(extract(epoch from created_at - now())))::float8 as s from messages`,
    );
    expect(latest.rows[0]?.s).toBeLessThan(60);
  });
});

describe('a clock that jumps', () => {
  test.each([3_600_000, -3_600_000])(
    'by %i ms changes no duration, expiry or window',
    async (jumpMs) => {
      const file = join(folder, `shift-${jumpMs}`);
      await writeFile(file, '0');
      const service = await start({ CLOCK_SHIFT_FILE: file });
      const ada = await service.signUp();
      const agent = await service.createAgent(ada.token, { name: 'A', greeting_message: 'Hi.' });
      const before = Number(
        (await service.call('GET', '/v1/agents', { as: ada.token })).headers.get('x-ratelimit-reset'),
      );
      await writeFile(file, String(jumpMs));
      await eventually(async () => {
        const jumped = await service.call('GET', '/v1/auth/me', { as: ada.token });
        return jumped.status === 200;
      });
      const text = 'Otters sleep hand in hand. '.repeat(200);
      const documents = `/v1/knowledge/${agent.id}/documents`;
      expectStatus(await service.call('POST', documents, { as: ada.token, body: fileForm('otters.txt', text) }), 201);
      await writeFile(file, '0');
      const times = `select extract(epoch from completed_at - started_at)::float8 as seconds from documents`;
      const done = await eventually(
        async () =>
          (await db.query<{ seconds: number | null }>(times)).rows.find(({ seconds }) => seconds !== null) ?? null,
        { what: 'the document', timeoutMs: 40_000 },
      );
      expect(done.seconds).toBeGreaterThanOrEqual(0);
      expect(done.seconds).toBeLessThan(60);
      await writeFile(file, String(jumpMs));
      const state = await service.call('GET', '/v1/agents', { as: ada.token });
      expect(state.status).toBe(200);
      const reset = Number(state.headers.get('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(before);
      expect(reset).toBeLessThan(Date.now() / 1_000 + 62);
    },
    90_000,
  );
});
