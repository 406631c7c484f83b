import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { requireDatabase } from '../../src/core/database/pooler.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type FakePooler, startFakePooler } from '../support/fake-pooler.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const poolers: FakePooler[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const pooler of poolers.splice(0)) await pooler.stop();
});
afterAll(() => database.drop());

const pooled = async (mode: 'session' | 'transaction' | 'tracking'): Promise<string> => {
  const pooler = await startFakePooler(database.url, mode);
  poolers.push(pooler);
  return pooler.url;
};

/** Sends concurrent messages and waits for each reply and for a title, which a task generates. */
async function serves(app: TestApp): Promise<void> {
  await eventually(async () => (await fetch(`${app.baseUrl}/readyz`)).status === 200, { what: 'readiness' });
  const ada = await app.signUp();
  const conversations = await Promise.all([1, 2, 3].map(() => app.createConversation(ada.token)));
  const send = ({ id }: { id: string }) =>
    app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Hello' } });
  const sent = await Promise.all(conversations.map(send));
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
  const titles = async () =>
    (await app.call('GET', '/v1/conversations', { as: ada.token })).body.data.map(
      ({ title }: { title: string }) => title,
    );
  await eventually(async () => !(await titles()).includes(null), { what: 'titles' });
}

describe('a pooler in front of PostgreSQL', () => {
  test('refuses startup options, as PgBouncer does', async () => {
    const client = new pg.Client({ connectionString: await pooled('session'), statement_timeout: 1_000 });
    await expect(client.connect()).rejects.toThrow('unsupported startup parameter: statement_timeout');
  });

  test('in session mode serves requests, tasks and the schedule', async () => {
    const url = await pooled('session');
    const app = await startTestApp({ databaseUrl: url });
    try {
      await serves(app);
      const settings = await app.app
        .newCtx({ kind: 'system' })
        .pool.query(`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`);
      expect(settings.rows).toEqual([{ timeout: '5s', jit: 'off' }]);
    } finally {
      await app.close();
    }
  });

  test('in session mode is recognized', async () => {
    const url = await pooled('session');
    expect(await requireDatabase({ url, directUrl: url })).toBe('session');
    expect(await requireDatabase({ url: database.url, directUrl: database.url })).toBe('none');
  });

  test('in transaction mode serves requests, tasks and the schedule when it tracks prepared statements', async () => {
    const url = await pooled('tracking');
    expect(await requireDatabase({ url, directUrl: database.url })).toBe('transaction');
    const app = await startTestApp({ databaseUrl: url, env: { DATABASE_DIRECT_URL: database.url } });
    try {
      await serves(app);
    } finally {
      await app.close();
    }
  });

  test('in transaction mode is refused with one line when it does not track prepared statements', async () => {
    const url = await pooled('transaction');
    await expect(requireDatabase({ url, directUrl: database.url })).rejects.toThrow(
      /^DATABASE_URL points to a pooler in transaction mode that does not track prepared statements\. [^\n]*$/,
    );
  });

  test('in transaction mode is refused as the direct way', async () => {
    const directUrl = await pooled('transaction');
    await expect(requireDatabase({ url: database.url, directUrl })).rejects.toThrow(
      /^LISTEN and migration locks need sessions[^\n]*DATABASE_DIRECT_URL[^\n]*$/,
    );
  });
});

describe('the database', () => {
  /** Creates a database with these options and returns its URL. */
  async function created(name: string, options: string): Promise<string> {
    await withAdmin(`create database ${name} ${options}`);
    const url = new URL(database.url);
    url.pathname = name;
    return url.href;
  }
  async function withAdmin(statement: string): Promise<void> {
    const admin = new pg.Client({ connectionString: inject('databaseUrl') });
    await admin.connect();
    await admin.query(statement);
    await admin.end();
  }

  test('of both URLs is the same one', async () => {
    const other = await createTestDatabase();
    await expect(requireDatabase({ url: database.url, directUrl: other.url })).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: [^\n]*$/,
    );
    await other.drop();
  });

  test('has the encoding UTF8', async () => {
    const name = `latin_${process.pid}`;
    const url = await created(name, `encoding 'LATIN1' locale 'C' locale_provider libc template template0`);
    await expect(requireDatabase({ url, directUrl: url })).rejects.toThrow(
      /^DATABASE_URL points to a database with the encoding LATIN1\. [^\n]*$/,
    );
    await withAdmin(`drop database ${name}`);
  });

  test('can be written', async () => {
    const name = `readonly_${process.pid}`;
    const url = await created(name, '');
    await withAdmin(`alter database ${name} set default_transaction_read_only to on`);
    await expect(requireDatabase({ url, directUrl: url })).rejects.toThrow(
      /^DATABASE_URL points to a database that is read-only[^\n]*DATABASE_REPLICA_URL\.$/,
    );
    await withAdmin(`drop database ${name}`);
  });
});
