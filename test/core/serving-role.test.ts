import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createAgendaSchema } from '../../jobs/agenda-store.ts';
import { processClock } from '../support/clock.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { startStripeSimulator } from '../../src/simulators/stripe.ts';
import { createMemoryStore } from '../../src/simulators/stripe/store.ts';
import { startTestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createRoleDatabase, type RoleDatabase } from '../support/serving-role.ts';

const log = pino({ level: 'silent' });
let database: RoleDatabase;

beforeAll(async () => {
  database = await createRoleDatabase(inject('superuserUrl'));
});
afterAll(() => database.drop());

test('a role that may not change the schema fails with the required role, and serves once its owner has migrated', async () => {
  await expect(migrate(database.url, log)).rejects.toThrow(
    'Run `node dist/service/main.js migrate` as its owner first.',
  );
  await migrate(database.ownerUrl, log);
  await createAgendaSchema(database.ownerUrl);
  const webhookSecret = `whsec_${randomUUID()}`;
  const stripe = await startStripeSimulator({
    log,
    clock: processClock,
    store: createMemoryStore(),
    pagesUrl: 'https://pay.example',
    webhookSecret,
    send: async () => true,
  });
  const env = { STRIPE_API_BASE: stripe.apiBase, STRIPE_WEBHOOK_SECRET: webhookSecret };
  const service = await startTestApp({ databaseUrl: database.url, env });
  try {
    const { token: as, id } = await service.signUp();
    const conversation = await service.createConversation(as, { name: 'Ada' });
    const path = `/v1/conversations/${conversation.id}`;
    expectStatus(await service.call('POST', `${path}/messages`, { as, body: { content: 'hello' } }), 201);
    // Written by a job.
    expect(await eventually(async () => (await service.call('GET', path, { as })).body.title)).toEqual(
      expect.any(String),
    );
    expectStatus(await service.call('DELETE', `/v1/agents/${conversation.agent_id}`, { as }), 200);
    expect((await service.call('GET', '/v1/auth/me', { as })).body.id).toBe(id);
  } finally {
    await service.close();
    await stripe.stop();
  }
  const role = new pg.Client({ connectionString: database.url });
  await role.connect();
  for (const statement of ['create table x ()', 'drop table users', 'create temp table x ()', 'create schema x'])
    await expect(role.query(statement)).rejects.toMatchObject({ code: '42501' });
  await role.end();
});
