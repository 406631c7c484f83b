import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../rest/client/runtime/webhooks.ts';
import { outboxKind } from '../../src/core/outbox.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let app: TestApp;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-signatures-'));
  receiver = await startWebhookReceiver();
  app = await startTestApp();
});
afterEach(() => void receiver.received.splice(0));
afterAll(async () => {
  await app.close();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const run = promisify(execFile);
const count = 1_000;
const awkward = [
  '\u2028',
  '\u2029',
  '🦉',
  '👩‍🚀',
  'é',
  'e\u0301',
  '\ud83d',
  '\udc00',
  '"',
  '\\',
  '\u0001',
  '\u007f',
  '\ufeff',
  '</script>',
];
/** Any text, including lone surrogates, line separators and byte order marks. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** An independent implementation. It reads lines of secret, id, timestamp and the body in hex. */
const python = `
import base64, hashlib, hmac, sys
for line in open(sys.argv[1]):
    secret, id, timestamp, body = line.rstrip("\\n").split(" ")
    body = bytes.fromhex(body)
    key = base64.b64decode(secret[len("whsec_"):])
    signed = f"{id}.{timestamp}.".encode() + body
    print(hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(), "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode())
`;

const isThere = (tool: string, arg: string) =>
  run(tool, [arg]).then(
    () => true,
    () => false,
  );

test('the signatures of 1,000 events of any text equal those of independent implementations', async () => {
  const owner = await createWebhookOwner(app);
  const { secret } = await owner.createWebhook(receiver.url);
  const texts = fc.sample(text, { numRuns: count, seed: 20_261_121 });
  await app.db.query(
    `insert into outbox_events (id, account_id, type, data, created_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.created', data, now() from unnest($2::json[]) as d (data)`,
    [owner.id, texts.map((content, n) => JSON.stringify({ n, content }).replaceAll('\\u0000', ''))],
  );
  app.app.newCtx({ kind: 'system' }).ports.tasks.wake(outboxKind);
  await eventually(() => receiver.received.length >= count);
  // Events so far. Delivery is at least once, so some may arrive again.
  const received = [...receiver.received];

  for (const { event } of received) expect(event.data.content).toBe(texts[event.data.n]?.replaceAll('\0', ''));
  const file = join(folder, 'deliveries');
  await writeFile(
    file,
    received
      .map(({ headers, body }) =>
        [secret, headers['webhook-id'], headers['webhook-timestamp'], body.toString('hex')].join(' '),
      )
      .join('\n'),
  );
  const ours = received.map(({ headers }) => `${headers['x-agent-signature']} ${headers['webhook-signature']}`);
  if (await isThere('python3', '--version')) {
    await writeFile(join(folder, 'sign.py'), python);
    const { stdout } = await run('python3', [join(folder, 'sign.py'), file], { maxBuffer: 1e7 });
    expect(stdout.trim().split('\n')).toEqual(ours);
  }
  if (await isThere('openssl', 'version')) {
    for (const { body, headers } of received.slice(0, 10)) {
      await writeFile(join(folder, 'body'), body);
      const { stdout } = await run('openssl', ['dgst', '-sha256', '-hmac', secret, '-r', join(folder, 'body')]);
      expect(stdout.split(' ')[0]).toBe(headers['x-agent-signature']);
    }
  }
  // Where neither is installed, compare with the definition in the standard.
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(ours).toEqual(
    received.map(({ body, headers }) => {
      const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]);
      return `${createHmac('sha256', secret).update(body).digest('hex')} v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    }),
  );
});

test('the Standard Webhooks library accepts deliveries, with old and new secrets during a rotation', async () => {
  const owner = await createWebhookOwner(app);
  const arrivedNext = async () => {
    receiver.received.length = 0;
    await owner.cause(1);
    return eventually(() => receiver.received[0]);
  };
  const made = await owner.createWebhook(receiver.url);
  const first = await arrivedNext();
  expect(new Webhook(made.secret).verify(first.body, first.headers)).toEqual(first.event);
  expect(() => new Webhook(made.secret).verify(`${first.body.toString()} `, first.headers)).toThrow('signature');
  const other = await owner.createWebhook(`${receiver.url}/other`, { events: ['agent.deleted'] });
  expect(() => new Webhook(other.secret).verify(first.body, first.headers)).toThrow('signature');

  const rotated = (await owner.post(`/v1/webhooks/${made.id}/rotate-secret`)).body;
  const during = await arrivedNext();
  for (const secret of [rotated.secret, made.secret])
    expect(new Webhook(secret).verify(during.body, during.headers)).toEqual(during.event);
  // A client that lost the response of the first rotation repeats it, and its receiver still has the first secret.
  const again = (await owner.post(`/v1/webhooks/${made.id}/rotate-secret`)).body;
  const twice = await arrivedNext();
  for (const secret of [again.secret, rotated.secret, made.secret])
    expect(new Webhook(secret).verify(twice.body, twice.headers)).toEqual(twice.event);
  const expire = (which: string) =>
    app.db.query(
      `update webhooks set ${which}_secret_expires_at = now() - interval '1 s', revision = revision + 1 where id = $1`,
      [made.id],
    );
  await expire('older');
  const later = await arrivedNext();
  expect(new Webhook(rotated.secret).verify(later.body, later.headers)).toEqual(later.event);
  expect(() => new Webhook(made.secret).verify(later.body, later.headers)).toThrow('signature');
  await expire('previous');
  const after = await arrivedNext();
  expect(new Webhook(again.secret).verify(after.body, after.headers)).toEqual(after.event);
  expect(() => new Webhook(rotated.secret).verify(after.body, after.headers)).toThrow('signature');
});

describe('a secret that the owner chose', () => {
  const bytes = Buffer.from('thirty-two bytes that are secret').toString('base64');
  test.each([
    ['of the form of Standard Webhooks is keyed by its bytes', `whsec_${bytes}`, {}],
    ['without the padding is keyed by its bytes too', `whsec_${bytes.replaceAll('=', '')}`, {}],
    ['of another form is keyed by its text', 'a-secret-of-the-owners-choice', { format: 'raw' as const }],
    [
      'that only begins like one of Standard Webhooks is keyed by its text',
      'whsec_not*base64',
      { format: 'raw' as const },
    ],
  ])('%s', async (_what, secret, options) => {
    const owner = await createWebhookOwner(app);
    expect((await owner.createWebhook(receiver.url, { secret })).secret).toBe(secret);
    await owner.cause(1);
    const { body, headers, event } = await eventually(() => receiver.received[0]);
    expect(new Webhook(secret, options).verify(body, headers)).toEqual(event);
    if (!('format' in options)) expect(() => new Svix(secret).verify(body.toString(), headers)).not.toThrow();
    expect(await verifyWebhook({ body, headers, secret })).toEqual(event);
    expect(await verifyWebhook({ body, headers, secret, scheme: 'agent' })).toEqual(event);
  });
});
