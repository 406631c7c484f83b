import { pino } from 'pino';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { createAgendaSchema } from '../../jobs/agenda-store.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { startTestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createRoleDatabase, type RoleDatabase } from '../support/serving-role.ts';

let database: RoleDatabase;

beforeAll(async () => {
  database = await createRoleDatabase(inject('superuserUrl'));
  await migrate(database.ownerUrl, pino({ level: 'silent' }));
  await createAgendaSchema(database.ownerUrl);
});
afterAll(() => database.drop());

test('the payment simulator runs under a role that cannot create tables', async () => {
  const service = await startTestApp({ databaseUrl: database.url });
  try {
    const { token: as } = await service.signUp();
    const body = {
      plan: 'plus',
      interval: 'month',
      success_url: 'https://a.example',
      cancel_url: 'https://b.example',
    };
    expectStatus(await service.call('POST', '/v1/billing/checkout', { as, body }), 201);
  } finally {
    await service.close();
  }
});
