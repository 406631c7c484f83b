import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fileForm } from '../support/knowledge.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver, trustedAuthority, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Longer than the leases of tasks, deliveries, idempotency keys and instances. */
const freezeMs = 18_000;
const documentCount = 4;

let folder: string;
let receiver: WebhookReceiver;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: pg.Pool;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-freezing-'));
  await writeFile(join(folder, 'ca.pem'), (await trustedAuthority()).ca);
  receiver = await startWebhookReceiver();
  database = await createTestDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
  for (let n = 0; n < 2; n++) {
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      AUTH_SECRET: 's'.repeat(40),
      ENCRYPTION_KEYS: 'e'.repeat(40),
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    });
    running.push(service);
  }
});
afterAll(async () => {
  for (const service of running) await service.kill();
  await receiver.close();
  await db.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('an instance that is frozen past every lease and resumes', () => {
  test('doubles no document, message or mail, and loses no event', async () => {
    const [frozen, other] = running as [ServiceProcess, ServiceProcess];
    const ada = await frozen.signUp();
    const { token } = ada;
    await db.query(`update users set plan = 'creator' where id = $1`, [ada.id]);
    const hook = { url: receiver.url, events: ['agent.created', 'message.created'] };
    expectStatus(await frozen.call('POST', '/v1/webhooks', { as: token, body: hook }), 201);
    const agent = await frozen.createAgent(token, { greeting_message: 'Hi.' });
    const opened = await frozen.call('POST', '/v1/conversations', { as: token, body: { agent_id: agent.id } });
    const conversation = expectStatus(opened, 201).body;
    const documents = `/v1/knowledge/${agent.id}/documents`;
    const text = 'Otters sleep hand in hand. '.repeat(2_000);
    for (let n = 0; n < documentCount; n++)
      expectStatus(await frozen.call('POST', documents, { as: token, body: fileForm(`${n}.txt`, text + n) }), 201);
    const headers = { 'Idempotency-Key': 'frozen' };
    const message = { as: token, body: { content: 'Hello' }, headers };
    const path = `/v1/conversations/${conversation.id}/messages`;
    const interrupted = frozen.call('POST', path, message).catch(() => null);
    await sleep(20);
    frozen.signal('SIGSTOP');

    const answers = new Set<string>();
    const sent = await eventually(
      async () => {
        const answer = await other.call('POST', path, message);
        answers.add(`${answer.status} ${answer.body.error?.code}`);
        return answer.status === 201 ? answer : null;
      },
      { timeoutMs: freezeMs + 20_000, what: 'the reply from the other instance' },
    ).catch((error: unknown) => {
      throw new Error([...answers].join(', '), { cause: error });
    });
    await eventually(
      async () => (await db.query(`select from documents where status = 'ready'`)).rowCount === documentCount,
      { timeoutMs: freezeMs + 40_000, what: 'the documents' },
    );
    await sleep(freezeMs / 6);
    frozen.signal('SIGCONT');
    await interrupted;
    await eventually(async () => (await fetch(`${frozen.baseUrl}/readyz`)).ok, { what: 'the frozen instance' });
    await eventually(
      async () => (await db.query(`select from tasks where state = 'running' or run_at <= now()`)).rowCount === 0,
      { what: 'the end of all tasks' },
    );

    const again = await frozen.call('POST', path, message);
    expect([again.status, again.body.id]).toEqual([201, sent.body.id]);
    const { rows: stored } = await db.query(
      `select role, count(*)::int as n from messages where conversation_id = $1 and content <> 'Hi.' and active group by role order by role`,
      [conversation.id],
    );
    expect(stored).toEqual([
      { role: 'assistant', n: 1 },
      { role: 'user', n: 1 },
    ]);
    const usage = (await other.call('GET', '/v1/billing/usage', { as: token })).body.usage;
    expect(usage.messages_sent).toBe(1);
    const listed = (await other.call('GET', documents, { as: token })).body.data;
    expect(listed).toHaveLength(documentCount);
    for (const { id, chunk_count: expected } of listed) {
      const found = await db.query('select from chunks where document_id = $1', [id]);
      expect(found.rowCount).toBe(expected);
    }
    const failed = await db.query(`select kind, last_error from tasks where state = 'failed'`);
    expect(failed.rows).toEqual([]);
    await eventually(
      async () => (await db.query(`select from webhook_deliveries where status <> 'delivered'`)).rowCount === 0,
      { what: 'the deliveries' },
    );
    const events = await db.query<{ id: string }>(
      `select id from outbox_events where type in ('agent.created', 'message.created')`,
    );
    const arrived = new Set(receiver.received.map(({ event }) => event.id as string));
    expect(events.rows.filter(({ id }) => !arrived.has(id))).toEqual([]);
    const mails = await other.call('GET', `/dev/mail?to=${encodeURIComponent(ada.email)}`, {
      headers: { accept: 'application/json' },
    });
    expect(mails.body.data).toHaveLength(1);
  }, 150_000);
});
