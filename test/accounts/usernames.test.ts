import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oldUsernameExpiry } from '../../src/accounts/usernames.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { letTasksComeDue } from '../support/leases.ts';

let service: TestApp;
const clock = createTestClock(new Date());
const dayMs = 86_400_000;
let number = 0;
const fresh = (name: string): string => `${name}-${Date.now().toString(36)}${number++}`;

beforeAll(async () => {
  service = await startTestApp({ clock });
});
afterAll(() => service?.close());

const rename = (as: Account, username: string) =>
  service.call('PUT', '/v1/auth/me', { as: as.token, body: { username } });
const profile = (username: string) => service.call('GET', `/v1/users/${encodeURIComponent(username)}`);
const register = (username: string) =>
  service.call('POST', '/v1/auth/register', {
    body: { email: `${fresh('mail')}@example.com`, password: 'correct horse battery', username },
  });

describe('a username', () => {
  test.each(['admin', 'Support', 'api', 'adm1n', 's.u.p.p.o.r.t', 'agent-chat-support', '...', '-_-', '___'])(
    'must not be %s',
    async (username) => {
      const refused = { status: 400, body: { error: { details: [{ field: 'username', code: 'reserved' }] } } };
      expect(await register(username)).toMatchObject(refused);
      expect(await rename(await service.signUp(), username)).toMatchObject(refused);
    },
  );

  test('must not look like an id', async () => {
    const victim = await service.signUp();
    expect((await register(victim.id)).status).toBe(400);
  });

  test('derived from an address is never a reserved one', async () => {
    const body = { email: `admin@${fresh('host')}.example`, password: 'correct horse battery' };
    const { user } = expectStatus(await service.call('POST', '/v1/auth/register', { body }), 201).body;
    expect(user.username).toMatch(/^user-\d+$/);
  });

  test('is stored in ASCII when it was typed in full width', async () => {
    const name = fresh('wide');
    const wide = name.replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    expect((await register(wide)).body.user.username).toBe(name);
  });
});

describe('a former username', () => {
  test('leads to its owner for 180 days and is free afterwards', async () => {
    const [old, next] = [fresh('old'), fresh('new')];
    const owner = await service.signUp({ username: old });
    expectStatus(await rename(owner, next), 200);
    expect((await register(old.toUpperCase())).body.error.code).toBe('username_taken');
    expect((await rename(await service.signUp(), old)).body.error.code).toBe('username_taken');
    expect(expectStatus(await profile(old), 200).body).toMatchObject({ id: owner.id, username: next });
    expect(expectStatus(await profile(`＠${old}`), 200).body.id).toBe(owner.id);
    expectStatus(await service.call('GET', `/v1/users/${old}/agents`), 200);

    clock.advance(180 * dayMs + 1_000);
    await oldUsernameExpiry.remove(service.app.newCtx({ kind: 'system' }), AbortSignal.timeout(5_000));
    expect((await profile(old)).status).toBe(404);
    expect((await register(old)).status).toBe(201);
  });

  test('reaches its owner with invitations and reports', async () => {
    const old = fresh('room');
    const owner = await service.signUp({ username: old });
    expectStatus(await rename(owner, fresh('moved')), 200);
    const host = await service.signUp();
    const room = expectStatus(
      await service.call('POST', '/v1/rooms', { as: host.token, body: { name: 'Room' } }),
      201,
    ).body;
    const invited = await service.call('POST', `/v1/rooms/${room.id}/members`, {
      as: host.token,
      body: { username: `@${old}` },
    });
    expect(invited.status).toBeLessThan(300);
    expect(invited.body.user_id).toBe(owner.id);
    const report = { subject_type: 'user', subject_id: old, reason: 'spam' };
    expect((await service.call('POST', '/v1/reports', { as: host.token, body: report })).status).toBeLessThan(300);
  });

  test('stays taken when its account is purged, without a trace of the account', async () => {
    const [old, last] = [fresh('gone'), fresh('last')];
    const owner = await service.signUp({ username: old });
    expectStatus(await rename(owner, last), 200);
    const body = { password: owner.password };
    expectStatus(await service.call('DELETE', '/v1/auth/me', { as: owner.token, body }), 200);
    clock.advance(31 * dayMs);
    await letTasksComeDue(service.db);
    await eventually(
      async () => (await service.db.query('select from users where id = $1', [owner.id])).rows.length === 0,
    );
    for (const name of [old, last]) {
      expect((await register(name)).body.error.code).toBe('username_taken');
      expect((await profile(name)).status).toBe(404);
    }
    const kept = await service.db.query('select from old_usernames where username = any ($1) or user_id = $2', [
      [old, last],
      owner.id,
    ]);
    expect(kept.rows).toEqual([]);
  });

  test('becomes the name again, and changes end after five', async () => {
    const first = fresh('first');
    const owner = await service.signUp({ username: first });
    expectStatus(await rename(owner, first.toUpperCase()), 200);
    const names = [fresh('b'), first, fresh('c'), fresh('d'), fresh('e'), fresh('f')];
    for (const name of names.slice(0, 5)) expectStatus(await rename(owner, name), 200);
    expectStatus(await rename(owner, names[5] ?? ''), 200);
    expect(await rename(owner, fresh('g'))).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', details: [{ field: 'username', code: 'changed_too_often' }] } },
    });
  });
});

describe('a display name', () => {
  test.each(['Agent Chat Support', 'Аgent Сhat', 'Moderator', 'Official Support Team'])(
    'must not be %s',
    async (name) => {
      const person = await service.signUp();
      const body = { display_name: name };
      expect(await service.call('PUT', '/v1/auth/me', { as: person.token, body })).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'display_name', code: 'reserved' }] } },
      });
    },
  );
});
