import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createAgendaSchema } from '../../jobs/agenda-store.ts';
import { systemClock } from '../../src/core/clock.ts';
import { migrate } from '../../src/core/migrate.ts';
import { startStripeStandIn } from '../../src/standins/stripe.ts';
import { createMemoryStore } from '../../src/standins/stripe/store.ts';
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

test('a role that may not change the schema is told who has to, and serves once its owner has migrated', async () => {
  await expect(migrate(database.url, log)).rejects.toThrow('Run `npm run migrate` as its owner first.');
  await migrate(database.ownerUrl, log);
  await createAgendaSchema(database.ownerUrl);
  const webhookSecret = `whsec_${randomUUID()}`;
  // Only the embedded processor keeps a table of its own.
  const stripe = await startStripeStandIn({
    log,
    clock: systemClock,
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
