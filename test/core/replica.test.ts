import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replica.ts';

let postgres: ReplicatedPostgres;
let one: TestApp;
let other: TestApp;
let ada: Account;

beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
  const options = { databaseUrl: postgres.url, env: { DATABASE_REPLICA_URL: postgres.replicaUrl, ...secrets } };
  one = await startTestApp(options);
  other = await startTestApp(options);
  ada = await one.signUp({ plan: 'creator' });
});
afterAll(async () => {
  await one?.close();
  await other?.close();
  await postgres?.stop();
});

const listIds = async (app: TestApp): Promise<string[]> => {
  const { body } = await app.call('GET', '/v1/conversations?limit=100', { as: ada.token });
  return body.data.map(({ id }: { id: string }) => id);
};

/** Returns how many lists of conversations the replica has served. */
const served = async (): Promise<number> => {
  const { rows } = await postgres.onReplica(
    `select count(*)::int as lists from pg_stat_activity where application_name = 'agent-chat-service reads' and query like '%from conversations%'`,
  );
  return rows[0].lists;
};

/** Closes the replica's connections, so that the statements they have run are no longer listed. */
const forget = () =>
  postgres.onReplica(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agent-chat-service reads'`,
  );

const isUsed = async (): Promise<boolean> => {
  await listIds(one);
  return (await served()) > 0;
};

describe('a replica', () => {
  beforeEach(async () => {
    await forget();
    await eventually(isUsed, { what: 'the use of the replica' });
  });

  test('serves lists, search, explore, statistics and exports', async () => {
    const agent = await one.createAgent(ada.token, { is_public: true });
    const conversation = await one.createConversation(ada.token, { agent_id: agent.id });
    const sent = { as: ada.token, body: { content: 'The tide is high' } };
    expectStatus(await one.call('POST', `/v1/conversations/${conversation.id}/messages`, sent), 201);
    const webhook = { url: 'https://hooks.example/', events: ['message.created'] };
    const { body: hook } = await one.call('POST', '/v1/webhooks', { as: ada.token, body: webhook });
    const shown = { agent_id: agent.id, name: 'Shop', allowed_origins: ['https://shop.example'] };
    const { body: embed } = await one.call('POST', '/v1/embeds', { as: ada.token, body: shown });
    const replica = one.app.newCtx({ kind: 'system' }).ports.replica;
    if (!replica) throw new Error('no replica');
    const asked = vi.spyOn(replica, 'hasCaughtUp');
    for (const path of [
      '/v1/agents/explore?q=agent',
      '/v1/marketplace',
      '/v1/conversations',
      `/v1/conversations/${conversation.id}/messages`,
      '/v1/conversations/search?q=tide',
      `/v1/studio/agents/${agent.id}/analytics`,
      '/v1/studio/analytics',
      `/v1/webhooks/${hook.id}/stats`,
      `/v1/webhooks/${hook.id}/deliveries`,
      `/v1/embeds/${embed.id}/stats`,
      '/v1/social/feed',
    ]) {
      const isServed = async () => {
        asked.mockClear();
        expectStatus(await one.call('GET', path, { as: ada.token }), 200);
        expect(asked).toHaveBeenCalledTimes(1);
        return asked.mock.results[0]?.value as Promise<boolean>;
      };
      await eventually(isServed, { what: `the use of the replica by ${path}` });
    }
    asked.mockRestore();
    const found = await one.call('GET', '/v1/conversations/search?q=tide', { as: ada.token });
    expect(found.body.data).not.toEqual([]);
  });

  test('never shows a caller less than they wrote, on any instance', async () => {
    const write = async (from: TestApp, to: TestApp) => {
      const { id } = await from.createConversation(ada.token);
      expect(await listIds(to)).toContain(id);
    };
    for (let n = 0; n < 10; n++) await Promise.all([write(one, one), write(one, other), write(other, one)]);
  });

  test('that lags is not used until it has caught up', async () => {
    await postgres.onReplica('select pg_wal_replay_pause()');
    for (let n = 0; n < 3; n++) {
      const { id } = await one.createConversation(ada.token);
      expect(await listIds(one)).toContain(id);
      expect(await listIds(other)).toContain(id);
    }
    await forget();
    await postgres.onReplica('select pg_wal_replay_resume()');
    await eventually(isUsed, { what: 'the use of the replica' });
  });

  test('that stops is not used until it is back', async () => {
    await postgres.stopReplica();
    for (let n = 0; n < 3; n++) {
      const { id } = await one.createConversation(ada.token);
      expect(await listIds(one)).toContain(id);
    }
    await postgres.startReplica();
    await eventually(isUsed, { what: 'the use of the replica' });
  });
});

test('a replica of another database of the same server is not used', async () => {
  await one.db.query('create database elsewhere');
  const databaseUrl = Object.assign(new URL(postgres.url), { pathname: '/elsewhere' }).href;
  const stray = await startTestApp({ databaseUrl, env: { DATABASE_REPLICA_URL: postgres.replicaUrl } });
  try {
    const grace = await stray.signUp();
    const { id } = await stray.createConversation(grace.token);
    const { replica } = stray.app.newCtx({ kind: 'system' }).ports;
    await eventually(async () => (await replica?.pool.query('select 1')) !== undefined);
    // Longer than a replica is left alone after a failure.
    const endMs = performance.now() + 1_500;
    while (performance.now() < endMs) {
      expect(await replica?.hasCaughtUp()).toBe(false);
      const { body } = await stray.call('GET', '/v1/conversations', { as: grace.token });
      expect(body.data.map((conversation: { id: string }) => conversation.id)).toEqual([id]);
    }
  } finally {
    await stray.close();
  }
});

test('a promoted replica is no longer used', async () => {
  await postgres.onReplica('select pg_promote()');
  await forget();
  for (let n = 0; n < 3; n++) {
    const { id } = await one.createConversation(ada.token);
    expect(await listIds(one)).toContain(id);
  }
  expect(await served()).toBe(0);
});
