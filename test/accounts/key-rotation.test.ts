import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { namedKey } from '../../src/core/crypto.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { reEncrypt, type ReEncryptCounts } from '../../src/core/database/re-encrypt.ts';
import { firstKey } from '../../src/core/tasks/key-ranges.ts';
import type { TaskRun } from '../../src/core/tasks/task-handler.ts';
import { openBot } from '../../src/integrations/bot-token.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createTestClock } from '../support/clock.ts';
import { runRecurring } from '../support/jobs.ts';
import { mailWith, tokenIn } from '../support/outbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const [oldKey, newKey] = ['o'.repeat(40), 'n'.repeat(40)];
const oldPrefix = `${namedKey(oldKey).id}.`;
const clock = createTestClock(new Date());
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let receiver: WebhookReceiver;
const running = new Set<TestApp>();

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  for (const app of running) await app.close();
  running.clear();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

async function start(env: Record<string, string>): Promise<TestApp> {
  const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: oldKey };
  const app = await startTestApp({ databaseUrl: database.url, clock, env: { ...secrets, ...env } });
  running.add(app);
  return app;
}
const stop = async (app: TestApp) => {
  running.delete(app);
  await app.close();
};
const system = (app: TestApp) => app.app.newCtx({ kind: 'system' });
const runJob = (app: TestApp) => runRecurring('service.re-encrypt', () => system(app));
const newRun = (heartbeat = () => Promise.resolve(), signal = new AbortController().signal) => ({
  attempt: 1,
  signal,
  heartbeat,
  complete: () => Promise.resolve(),
});

/** Re-encrypts every column, one after another. */
async function reEncryptAll(ctx: Ctx, run: TaskRun): Promise<ReEncryptCounts> {
  const total: ReEncryptCounts = { reEncrypted: 0, changed: 0, unreadable: 0 };
  for (const column of catalog.encryptedColumns) {
    const counts = await reEncrypt(ctx, column, { after: firstKey(column), through: null }, run);
    for (const name of ['reEncrypted', 'changed', 'unreadable'] as const) total[name] += counts[name];
  }
  return total;
}

/** Returns tables with the number of rows in which any column contains a value under the old key. */
async function underOldKey({ db }: TestApp): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const { rowCount } = await db.query(`select from ${name} t where strpos(t::text, $1) > 0`, [oldPrefix]);
    if (rowCount) found[name] = rowCount;
  }
  return found;
}

/** Creates one of everything that is stored encrypted. */
async function seed(app: TestApp) {
  const ada = await app.signUp({ plan: 'creator' });
  const as = ada.token;
  const login = { email: ada.email, password: ada.password };
  const session = expectStatus(await app.call('POST', '/v1/auth/login', { body: login }), 200).body;
  const refresh = { refresh_token: session.refresh_token as string };
  const successor = expectStatus(await app.call('POST', '/v1/auth/refresh', { body: refresh }), 200).body.refresh_token;
  const agent = await app.createAgent(as);
  const keyed = {
    as,
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'a key', scopes: ['agents:read'] },
  };
  const answered = expectStatus(await app.call('POST', '/v1/auth/api-keys', keyed), 201).body;
  const hook = { url: receiver.url, events: ['agent.updated'] };
  const webhook = expectStatus(await app.call('POST', '/v1/webhooks', { as, body: hook }), 201).body;
  const rotated = expectStatus(await app.call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, { as }), 200).body;
  const bot = { agent_id: agent.id, bot_token: `bot-${randomUUID()}` };
  const integration = expectStatus(await app.call('POST', '/v1/integrations/chat_messenger', { as, body: bot }), 201);
  expectStatus(await app.call('POST', '/v1/auth/forgot-password', { body: { email: ada.email } }), 200);
  // A web process runs no tasks, so mails and tasks stay. One mail is stored as those that /dev/mail shows.
  const bob = await app.signUp();
  await app.db.query(
    `with shown as (delete from mails where user_id = $1 returning *)
     insert into outbox_mails (id, user_id, recipient, subject, sealed, created_at)
     select id, user_id, $2, 'Shown before', sealed, created_at from shown`,
    [bob.id, ada.email],
  );
  return {
    ada,
    refresh,
    successor,
    keyed,
    answered,
    agent,
    webhookId: webhook.id as string,
    secrets: [rotated.secret as string, webhook.secret as string] as const,
    bot: { id: integration.body.id as string, token: bot.bot_token },
  };
}

/** Checks that the seeded values are unchanged, over HTTP where it shows them. */
async function expectAllReadable(app: TestApp, seeded: Awaited<ReturnType<typeof seed>>): Promise<void> {
  const refreshed = expectStatus(await app.call('POST', '/v1/auth/refresh', { body: seeded.refresh }), 200);
  expect(refreshed.body.refresh_token).toBe(seeded.successor);
  const replayed = expectStatus(await app.call('POST', '/v1/auth/api-keys', seeded.keyed), 201);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(replayed.body).toEqual(seeded.answered);
  expect((await mailWith(app, seeded.ada.email, 'Shown before')).text).toContain('vt_');
  const { rows } = await app.db.query('select id, bot_token as "botToken", place from integrations where id = $1', [
    seeded.bot.id,
  ]);
  expect(openBot(system(app).config, rows[0]).token).toBe(seeded.bot.token);
}

test('values under an old encryption key stay readable before, during and after re-encryption, and then without the old key', async () => {
  const before = await start({ ROLE: 'web' });
  const seeded = await seed(before);
  expect(await underOldKey(before)).toEqual({
    webhooks: 1,
    integrations: 1,
    mails: 1,
    outbox_mails: 1,
    tasks: 1,
    refresh_tokens: 1,
    idempotency_keys: 1,
  });
  await stop(before);

  const both = await start({ ROLE: 'web', ENCRYPTION_KEYS: `${newKey},${oldKey}` });
  await expectAllReadable(both, seeded);
  const kill = new AbortController();
  let pages = 0;
  const dies = newRun(() => Promise.resolve(++pages === 3 ? kill.abort(new Error('killed')) : undefined), kill.signal);
  await expect(reEncryptAll(system(both), dies)).rejects.toThrow('killed');
  const left = await underOldKey(both);
  expect(Object.keys(left)).not.toContain('idempotency_keys');
  expect(Object.keys(left)).toContain('webhooks');
  await expectAllReadable(both, seeded);
  await runJob(both);
  expect(await underOldKey(both)).toEqual({});
  await expectAllReadable(both, seeded);
  const nothing = { reEncrypted: 0, changed: 0, unreadable: 0 };
  expect(await reEncryptAll(system(both), newRun())).toEqual(nothing);
  await stop(both);

  const after = await start({ ENCRYPTION_KEYS: newKey });
  await expectAllReadable(after, seeded);
  const as = seeded.ada.token;
  expectStatus(await after.call('PUT', `/v1/agents/${seeded.agent.id}`, { as, body: { name: 'Grace' } }), 200);
  const { headers, body } = await eventually(() => receiver.received[0], { what: 'a delivery' });
  expect(headers['x-agent-signature']).toBe(createHmac('sha256', seeded.secrets[0]).update(body).digest('hex'));
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signatures = seeded.secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).update(body).digest('base64')}`;
  });
  expect(headers['webhook-signature']).toBe(signatures.join(' '));
  // The mail and the task that waited during the whole test.
  expect(tokenIn(await mailWith(after, seeded.ada.email, 'Confirm your e-mail address'))).toMatch(/^vt_/);
  expect(tokenIn(await mailWith(after, seeded.ada.email, 'Set a new password'))).toMatch(/^rst_/);
});

test('re-encryption runs at each start of a worker and handles more than one page', async () => {
  const before = await start({ ROLE: 'web' });
  const { email } = await before.signUp();
  expectStatus(await before.call('POST', '/v1/auth/forgot-password', { body: { email } }), 200);
  await before.db.query(
    `insert into tasks (kind, payload, run_at, max_attempts, created_at)
     select kind, payload, now() + interval '1 year', 5, now() from tasks, generate_series(1, 520) where kind = $1`,
    ['account.forgotten-password'],
  );
  // A task that a worker of the previous test could not finish would wait for its retry.
  await before.db.query(`delete from tasks where kind = 'service.re-encrypt'`);
  await stop(before);
  const after = await start({ ENCRYPTION_KEYS: `${newKey},${oldKey}` });
  await eventually(async () => Object.keys(await underOldKey(after)).length === 0, { what: 'the end of the job' });
});

test('re-encryption keeps a value that is written meanwhile, and counts and skips one whose key is missing', async () => {
  const before = await start({ ROLE: 'web' });
  const ada = await before.signUp();
  const gone = await before.signUp();
  await before.db.query(`update mails set sealed = '00000000' || substr(sealed, 9) where user_id = $1`, [gone.id]);
  await stop(before);
  const both = await start({ ROLE: 'web', ENCRYPTION_KEYS: `${newKey},${oldKey}` });
  const ctx = system(both);
  const racing = {
    ...ctx,
    sql: async (...query: Parameters<typeof ctx.sql>) => {
      const rows = await ctx.sql(...query);
      if (query[0].text.includes('from mails'))
        await both.db.query(`update mails set sealed = 'written meanwhile' where user_id = $1`, [ada.id]);
      return rows;
    },
  } as typeof ctx;
  const counts = await reEncryptAll(racing, newRun());
  expect(counts).toMatchObject({ changed: 1, unreadable: 1 });
  const { rows } = await both.db.query(`select left(sealed, 8) as sealed from mails order by user_id = $1`, [gone.id]);
  expect(rows.map(({ sealed }) => sealed)).toEqual(['written ', '00000000']);
});

test('an access token works as long as its signing key is listed', async () => {
  const [old, newer] = ['o'.repeat(40), 'n'.repeat(40)];
  const status = async (app: TestApp, as: string) => (await app.call('GET', '/v1/auth/me', { as })).status;
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  const before = await start({ AUTH_SECRET: old });
  const ada = await before.signUp();
  await stop(before);
  const both = await start({ AUTH_SECRET: `${newer},${old}` });
  expect(await status(both, ada.token)).toBe(200);
  const login = { email: ada.email, password: ada.password };
  const fresh = expectStatus(await both.call('POST', '/v1/auth/login', { body: login }), 200).body.access_token;
  expect([kid(ada.token), kid(fresh)]).toEqual([namedKey(old).id, namedKey(newer).id]);
  await stop(both);
  const after = await start({ AUTH_SECRET: newer });
  expect(await status(after, ada.token)).toBe(401);
  expect(await status(after, fresh)).toBe(200);
});
