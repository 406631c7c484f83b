import { Migration } from '@mikro-orm/migrations';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/core/process/log.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

/** The changes that a next release may make to the schema, made to every table at once. */
class NextRelease extends Migration {
  override up(): void {
    this.addSql('create table of_the_next_release (id text primary key)');
    this.addSql(`
      do $$ declare name text; begin
        for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
          execute format('alter table %I add column of_the_next_release text not null default %L', name, 'new');
        end loop;
      end $$`);
  }
}

/** Ordinary requests to whichever instance the proxy selects, each response checked. Returns the number of requests. */
async function work(pick: () => TestApp, isOver: () => boolean): Promise<{ requests: number; failed: string[] }> {
  const failed: string[] = [];
  let requests = 0;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer['body']> => {
    requests++;
    const answer = await pick().call(method, path, options);
    if (answer.status >= 400) failed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { token: as } = await pick().signUp();
  while (!isOver()) {
    const agent = await call('POST', '/v1/agents', {
      as,
      body: { name: 'A', instructions: 'Be brief.', is_public: true },
    });
    await call('PUT', `/v1/agents/${agent.id}`, { as, body: { name: 'B' } });
    const hook = await call('POST', '/v1/webhooks', {
      as,
      body: { url: 'https://127.0.0.1:9443/', events: ['agent.deleted', 'message.created'] },
    });
    const conversation = await call('POST', '/v1/conversations', { as, body: { agent_id: agent.id } });
    const path = `/v1/conversations/${conversation.id}`;
    await call('POST', `${path}/messages`, { as, body: { content: 'What is a prime?' } });
    for (const read of ['/v1/auth/me', '/v1/agents', `/v1/agents/${agent.id}`, '/v1/agents/explore', path])
      await call('GET', read, { as });
    await call('GET', `${path}/messages?limit=5`, { as });
    await call('GET', '/v1/conversations/search?q=prime', { as });
    await call('GET', `/v1/webhooks/${hook.id}/deliveries`, { as });
    await call('GET', '/v1/billing/usage', { as });
    await call('DELETE', `/v1/webhooks/${hook.id}`, { as });
    await call('DELETE', `/v1/agents/${agent.id}`, { as });
  }
  return { requests, failed };
}

test('fails no request during an upgrade under load, with old and new instances on the new schema', async () => {
  const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40), DRAIN_SECONDS: '0.5' };
  const old = await startTestApp({ env });
  /** The instances to which the proxy sends requests, in turn. */
  const ready = [old];
  let turn = 0;
  let isOver = false;
  const pick = () => ready[turn++ % ready.length] ?? old;
  const workers = [work(pick, () => isOver), work(pick, () => isOver)];
  const { db } = old;
  const agentsDeleted = async () =>
    (await db.query<{ n: number }>(`select count(*)::int as n from outbox_events where type = 'agent.deleted'`)).rows[0]
      ?.n ?? 0;
  const aFewRounds = async () => {
    const before = await agentsDeleted();
    await eventually(async () => (await agentsDeleted()) > before + 2 || null, { what: 'a few rounds of work' });
  };

  await aFewRounds();
  const withNext = [...migrations, { name: 'migration-9999-next', class: NextRelease }];
  await migrate(old.databaseUrl, createLogger('silent'), withNext);
  await aFewRounds();
  const next = await startTestApp({ env, databaseUrl: old.databaseUrl });
  ready.push(next);
  await aFewRounds();
  const left = old.app.close();
  // Simulates a proxy that polls /readyz from time to time.
  await eventually(async () => (await old.call('GET', '/readyz')).status === 503 || null, { what: 'the drain' });
  ready.shift();
  await left;
  await aFewRounds();
  isOver = true;
  const done = await Promise.all(workers);

  expect(done.flatMap(({ failed }) => failed)).toEqual([]);
  expect(done.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(100);
  expect((await db.query(`select kind, last_error from tasks where state = 'failed'`)).rows).toEqual([]);
  await next.close();
  await old.close();
});
