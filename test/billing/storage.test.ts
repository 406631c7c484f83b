import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { picture } from '../support/images.ts';
import { settled, upload } from '../support/knowledge.ts';
import { createRoom } from '../support/rooms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Bytes as the service counts them, and as the rows themselves sum up. */
async function counted({ id }: Account): Promise<{ noted: number; real: number }> {
  const { rows } = await app.db.query(
    `select (coalesce((select bytes from stored_bytes where user_id = $1), 0)
       + coalesce((select sum(bytes) from storage_notes where user_id = $1), 0))::float8 as noted, stored_bytes_of($1)::float8 as real`,
    [id],
  );
  return rows[0];
}
const exact = async (account: Account): Promise<number> => {
  const { noted, real } = await counted(account);
  expect(noted).toBe(real);
  return real;
};
const aggregated = () =>
  eventually(async () => (await app.db.query('select from storage_notes limit 1')).rowCount === 0, {
    what: 'the aggregation',
  });
const placeOf = (agentId: string, token: string) => ({
  agentId,
  token,
  documents: `/v1/knowledge/${agentId}/documents`,
  userId: '',
});
const fill = (account: Account, bytes: number) =>
  app.db.query(
    `insert into stored_bytes (user_id, bytes) values ($1, $2) on conflict (user_id) do update set bytes = $2`,
    [account.id, bytes],
  );

describe('the bytes that an account stores', () => {
  test('follow every kind of content, also when it is changed or deleted', async () => {
    const owner = await app.signUp({ plan: 'creator' });
    const as = owner.token;
    expect(await exact(owner)).toBe(0);
    const agent = await app.createAgent(as, {
      instructions: 'x'.repeat(5_000),
      is_public: true,
      greeting_message: 'Hi.',
    });
    const withAgent = await exact(owner);
    expect(withAgent).toBeGreaterThan(6_000);
    await app.call('PUT', `/v1/agents/${agent.id}`, { as, body: { instructions: 'é'.repeat(5_000) } });
    expect((await exact(owner)) - withAgent).toBe(5_000);

    const place = placeOf(agent.id, as);
    const text = 'The lighthouse opens at nine. '.repeat(100);
    const { body: document } = await upload(app, place, 'hours.txt', text);
    await settled(app, place, document.id);
    const withDocument = await exact(owner);
    const form = new FormData();
    form.append('kind', 'avatar');
    form.append('file', new Blob([await picture(300, 300)]), 'me.png');
    const image = expectStatus(await app.call('POST', '/v1/images/uploads', { as, body: form }), 201).body;
    const withImage = await exact(owner);
    expect(withImage).toBeGreaterThan(withDocument);

    const { body: conversation } = await app.call('POST', '/v1/conversations', { as, body: { agent_id: agent.id } });
    const shared = { type: 'conversation', conversation_id: conversation.id };
    const share = expectStatus(await app.call('POST', '/v1/social/shares', { as, body: shared }), 201).body;
    const withShare = await exact(owner);
    await app.call('DELETE', `/v1/social/shares/${share.id}`, { as });
    expect(await exact(owner)).toBeLessThan(withShare);
    await aggregated();
    expect(await exact(owner)).toBeLessThan(withShare);

    await app.call('DELETE', `/v1/images/${image.id}`, { as });
    await app.call('DELETE', `/v1/agents/${agent.id}`, { as });
    await eventually(async () => (await counted(owner)).real === 0, { what: 'the removal' });
    expect(await exact(owner)).toBe(0);
    await aggregated();
    expect(await exact(owner)).toBe(0);
  });

  test('include messages in rooms of others, until they are deleted or the account is purged', async () => {
    const room = await createRoom(app, { people: 1 });
    const [owner, guest] = room.people as [Account, Account];
    const before = await exact(owner);
    await room.post(guest, 'x'.repeat(1_000));
    expect([await exact(owner), await exact(guest)]).toEqual([before, 1_500]);
    await app.db.query(`delete from users where id = $1`, [guest.id]);
    await aggregated();
    expect(await counted(guest)).toEqual({ noted: 0, real: 0 });
  });

  test('are counted from the rows for an account that is older than the count', async () => {
    const owner = await app.signUp();
    await app.createAgent(owner.token, {});
    await aggregated();
    await app.db.query(`update stored_bytes set bytes = -77, recount_due = true where user_id = $1`, [owner.id]);
    await eventually(
      async () =>
        (await app.db.query('select from stored_bytes where user_id = $1 and not recount_due', [owner.id])).rowCount ===
        1,
      { what: 'the recount' },
    );
    expect(await exact(owner)).toBeGreaterThan(1_000);
  }, 120_000);
});

describe('an account over its stored megabytes', () => {
  test('keeps and uses what it has, and is refused more with 403', async () => {
    const owner = await app.signUp();
    const as = owner.token;
    const agent = await app.createAgent(as, { is_public: true, greeting_message: 'Hi.' });
    const { body: conversation } = await app.call('POST', '/v1/conversations', { as, body: { agent_id: agent.id } });
    const room = expectStatus(await app.call('POST', '/v1/rooms', { as, body: { name: 'Mine' } }), 201).body;
    const shared = { type: 'conversation', conversation_id: conversation.id };
    const share = expectStatus(await app.call('POST', '/v1/social/shares', { as, body: shared }), 201).body;
    await aggregated();
    await fill(owner, 250 * 1_048_576);
    const limits = (await app.call('GET', '/v1/billing/limits', { as })).body.data;
    expect(limits).toContainEqual({ name: 'stored_megabytes', limit: 250 });
    const { usage } = (await app.call('GET', '/v1/billing/usage', { as })).body;
    expect(usage).toMatchObject({ stored_megabytes: 250, stored_megabytes_limit: 250 });

    const form = new FormData();
    form.append('kind', 'avatar');
    form.append('file', new Blob([await picture(300, 300)]), 'me.png');
    const place = placeOf(agent.id, as);
    const refused = [
      await upload(app, place, 'hours.txt', 'x'.repeat(1_000)),
      await app.call('POST', '/v1/images/uploads', { as, body: form }),
      await app.call('POST', '/v1/social/shares', { as, body: shared }),
      await app.call('POST', `/v1/shares/${share.url.split('/').at(-1)}/continue`, { as }),
      await app.call('POST', `/v1/rooms/${room.id}/messages`, { as, body: { content: 'Hello.' } }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error?.code]).toEqual([403, 'plan_limit_exceeded']);
      expect(body.error.message).toContain('250 MB');
    }
    await fill(owner, 250 * 1_048_576 + 1);
    for (const [path, body] of [
      ['/v1/agents', { name: 'More', instructions: 'More.' }],
      ['/v1/conversations', { agent_id: agent.id }],
    ] as const)
      expect((await app.call('POST', path, { as, body })).status).toBe(403);
    const sent = await app.call('POST', `/v1/conversations/${conversation.id}/messages`, {
      as,
      body: { content: 'Hi' },
    });
    expect(sent.status).toBe(201);
    expect((await app.call('POST', '/v1/auth/export-data', { as })).status).toBe(202);
    expect((await app.call('DELETE', `/v1/social/shares/${share.id}`, { as })).status).toBe(200);
  });
});
