import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRestoredDatabase } from '../../src/app/prepare-restored.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { report } from '../support/fault-report.ts';
import { findViolations } from '../support/invariants.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let receiver: WebhookReceiver;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let backup: Awaited<ReturnType<typeof createTestDatabase>>;
let mailIsDown = false;
const env: Record<string, string> = {
  AUTH_SECRET: 'a'.repeat(40),
  ENCRYPTION_KEYS: 'e'.repeat(40),
  WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1,1,1,1',
};

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mailServer = await startMailServer({ answerTo: () => (mailIsDown ? 451 : 250) });
  env['SMTP_URL'] = `smtp://127.0.0.1:${mailServer.port}`;
  backup = await createTestDatabase();
});
afterAll(async () => {
  await receiver.close();
  await mailServer.stop();
  await backup.drop();
});

/** Sends messages until `isOver`, as load during the backup. `acknowledged` collects the acknowledged ones. */
async function chat(app: TestApp, acknowledged: string[], isOver: () => boolean): Promise<void> {
  const { token } = await app.signUp();
  const { id } = await app.createConversation(token);
  while (!isOver()) {
    const content = `Hello? ${randomUUID()}`;
    const { status } = await app.call('POST', `/v1/conversations/${id}/messages`, { as: token, body: { content } });
    if (status !== 201) return;
    acknowledged.push(content);
  }
}

const questionsInOrder = `
  select array_agg(content order by position) as contents from messages
  where role = 'user' and content = any ($1) group by conversation_id`;
const withoutDelivery = `
  select o.id from outbox_events o join webhooks w on w.user_id = o.account_id and o.type = any (w.events)
  where o.created_at >= w.created_at
    and not exists (select 1 from webhook_deliveries d where d.event_id = o.id and d.webhook_id = w.id)`;

test('restores a complete backup made under load without sending anything twice', async ({ task }) => {
  const original = await startTestApp({ env });
  const ada = await createWebhookOwner(original);
  const webhook = await ada.createWebhook(receiver.url);
  await ada.cause(3);
  await eventually(() => receiver.received.length === 3 || null, { what: 'the earlier deliveries' });
  await eventually(() => mailServer.mails.length === 1 || null, { what: 'a mail of before' });
  let isOver = false;
  const acknowledged: string[] = [];
  const load = [1, 2].map(() => chat(original, acknowledged, () => isOver));
  mailIsDown = true;
  const grace = await original.signUp();
  receiver.behave((response) => response.writeHead(500).end());
  await ada.cause(2);
  await eventually(() => receiver.received.length >= 5 || null, { what: 'deliveries that are to be tried again' });

  await eventually(() => acknowledged.length >= 4 || null, { what: 'messages in the backup' });
  const inBackup = [...acknowledged];
  await copyDatabase(original.databaseUrl, backup.url);
  // Everything after the backup still arrives.
  mailIsDown = false;
  receiver.behave((response) => response.writeHead(200).end());
  const { rows } = await original.db.query<{ id: string }>(`select event_id as id from webhook_deliveries`);
  await eventually(
    async () => (await ada.deliveriesOf(webhook.id, '?status=delivered')).total === rows.length || null,
    { what: 'the end of the retries' },
  );
  isOver = true;
  await Promise.all(load);
  await original.close();
  const [delivered, mailed] = [receiver.received.length, mailServer.mails.length];

  const held = await prepareRestoredDatabase(backup.url);
  expect(held).toMatchObject({ deliveries: 2, platformMessages: 0 });
  expect(held.mails).toBeGreaterThan(0);
  const restored = await startTestApp({ env, databaseUrl: backup.url });
  try {
    const findings = async () => Object.keys(await findViolations(restored.db)).length === 0 || null;
    await eventually(findings, { what: 'a database without violations' });
    const { rows: sent } = await restored.db.query<{ content: string; n: number }>(
      `select content, count(*)::int as n from messages where role = 'user' and content = any ($1) group by 1`,
      [inBackup],
    );
    expect(sent.filter(({ n }) => n === 1)).toHaveLength(inBackup.length);
    expect(inBackup.length).toBeGreaterThan(0);
    const { rows: conversations } = await restored.db.query<{ contents: string[] }>(questionsInOrder, [inBackup]);
    for (const { contents } of conversations)
      expect(contents).toEqual(inBackup.filter((content) => contents.includes(content)));
    expect((await restored.db.query(withoutDelivery)).rows).toEqual([]);
    const { email, password } = ada;
    const login = await restored.call('POST', '/v1/auth/login', { body: { email, password } });
    const as = expectStatus(login, 200).body.access_token as string;
    const fresh = await restored.createAgent(as);
    await eventually(() => receiver.received.some(({ event }) => event.data.id === fresh.id) || null, {
      what: 'an event of after the restoration',
    });
    await restored.call('POST', '/v1/auth/forgot-password', { body: { email } });
    await eventually(() => mailServer.mails.length > mailed || null, { what: 'a mail of after the restoration' });
    expect(receiver.received.slice(delivered).map(({ event }) => event.data.id)).toEqual([fresh.id]);
    expect(mailServer.mails.slice(mailed).flatMap(({ recipients }) => recipients)).toEqual([email]);
    expect(grace.email).not.toBe(email);

    const path = `/v1/webhooks/${webhook.id}/deliveries/recover`;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expectStatus(await restored.call('POST', path, { as, body: { since } }), 200);
    await eventually(() => receiver.received.length === delivered + 3 || null, { what: 'what the owner asked for' });
    report(
      { task },
      {
        times: '1 backup',
        checked: `${inBackup.length} messages, ${delivered} deliveries, ${mailed} mails, counts, quotas and order`,
        note: 'the backup is a copy of one snapshot, not of pg_dump',
      },
    );
  } finally {
    await restored.close();
  }
});
