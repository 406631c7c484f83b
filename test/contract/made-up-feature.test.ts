import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver, trustedAuthority, type WebhookReceiver } from '../support/webhook-receiver.ts';

const register = new URL('../support/made-up-feature/register.ts', import.meta.url).href;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let receiver: WebhookReceiver;
let service: ServiceProcess;
let folder: string;
let db: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  folder = await makeScratchFolder('made-up-');
  await writeFile(join(folder, 'ca.pem'), (await trustedAuthority()).ca);
  db = new pg.Pool({ connectionString: database.url, max: 1 });
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  service = await startServiceProcess(env, { nodeArgs: [`--import=${register}`] });
});
afterAll(async () => {
  await service.kill();
  await receiver.close();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('a feature of two files and a line in each list', () => {
  test('has its scope, route, id, job and event', async () => {
    const { token: as } = await service.signUp();
    const key = async (scope: string) =>
      expectStatus(
        await service.call('POST', '/v1/auth/api-keys', { as, body: { name: 'notes', scopes: [scope] } }),
        201,
      ).body.key as string;
    const webhook = { url: `${receiver.url}/notes`, events: ['note.written'] };
    expectStatus(await service.call('POST', '/v1/webhooks', { as, body: webhook }), 201);

    expectStatus(await service.call('POST', '/v1/notes', { as: await key('agents:write') }), 403);
    const note = expectStatus(await service.call('POST', '/v1/notes', { as: await key('notes:write') }), 201).body;

    expect(note.id).toMatch(/^note_/);
    const event = await eventually(() => receiver.received[0], { what: 'the event' });
    expect(event.event).toMatchObject({ type: 'note.written', data: { note_id: note.id } });
  });

  test('is included in the purge of an account', async () => {
    const account = await service.signUp();
    expectStatus(await service.call('DELETE', '/v1/auth/me', { as: account.token }), 200);
    await db.query(`update users set deletion_requested_at = now() - interval '31 days' where id = $1`, [account.id]);
    await db.query(`update tasks set run_at = now() where kind = 'account.purge' and key = $1`, [account.id]);
    const receipt = await eventually(
      async () =>
        (await db.query<{ counts: object }>('select counts from deletion_receipts where user_id is null')).rows[0],
      { what: 'the receipt of the purge' },
    );
    expect(receipt.counts).toMatchObject({ notes: 1 });
  });
});
