import { setTimeout as delay } from 'node:timers/promises';
import { expectRefused, findMailed, type Person, register, until } from '../person.ts';
import type { Visitor } from '../visitor.ts';
import type { World } from '../world.ts';

/** The life of an account: mails, sessions, passwords, an export, deletion and return. */
export async function live(world: World, visitor: Visitor): Promise<void> {
  const person = await register(world, visitor);
  await person.call('POST /auth/resend-verification', { as: person.token });
  await until(world, 'a verified address', async () => {
    const token = await findMailed(person, 'vt_');
    if (!token) return false;
    const accept = [400];
    return (await person.call('POST /auth/verify-email', { as: person.token, body: { token }, accept })).status === 200;
  });
  await changeProfile(person);
  await changePasswords(world, person);
  await endSessions(world, person);
  await exportData(world, person);
  // Requested only: the address changes once the new one is confirmed.
  const change = { new_email: `new-${person.email}`, current_password: person.password };
  await person.call('POST /auth/change-email', { as: person.token, body: change, accept: [429] });
  await leaveAndReturn(world, person);
  await delay(3_000, undefined, { signal: world.over }).catch(() => undefined);
}

async function changeProfile(person: Person): Promise<void> {
  const as = person.token;
  const bio = `Lives at ${person.id}`;
  await person.call('PUT /auth/me', { as, body: { display_name: 'Ada', bio } });
  await person.call('GET /auth/me', { as });
  await person.call('GET /auth/audit-log', { as, query: { limit: 5 } });
}

async function logIn(person: Person): Promise<{ access_token: string; refresh_token: string }> {
  const { email, password } = person;
  return (await person.call('POST /auth/login', { body: { email, password } })).body;
}

async function changePasswords(world: World, person: Person): Promise<void> {
  await person.call('POST /auth/forgot-password', { body: { email: person.email } });
  const token = await until(world, 'the mail of a reset', () => findMailed(person, 'rst_'));
  const chosen = `${person.password}, chosen again`;
  const body = { token, new_password: chosen };
  await person.call('POST /auth/reset-password', { body, whenRepeated: [400] });
  person.password = chosen;
  await expectRefused(world, person, person.token);
  person.token = (await logIn(person)).access_token;
  const next = { current_password: chosen, new_password: `${chosen} and again` };
  await person.call('POST /auth/change-password', { as: person.token, body: next, whenRepeated: [401] });
  person.password = next.new_password;
}

async function endSessions(world: World, person: Person): Promise<void> {
  const other = await logIn(person);
  const { body: refreshed } = await person.call('POST /auth/refresh', {
    body: { refresh_token: other.refresh_token },
    accept: [401],
  });
  const as: string = refreshed.access_token ?? (await logIn(person)).access_token;
  const { body: sessions } = await person.call('GET /auth/sessions', { as });
  const mine = sessions.data.find(({ current }: { current: boolean }) => !current);
  if (mine) {
    const params = { id: mine.id };
    await person.call('DELETE /auth/sessions/:id', { as, params, whenRepeated: [404] });
    await expectRefused(world, person, person.token);
  }
  await person.call('POST /auth/logout', { as, whenRepeated: [401] });
  await expectRefused(world, person, as);
  person.token = (await logIn(person)).access_token;
}

async function exportData(world: World, person: Person): Promise<void> {
  const as = person.token;
  const { body: asked } = await person.call('POST /auth/export-data', { as });
  const params = { id: asked.export_id };
  await until(world, 'an export', async () => {
    const { body } = await person.call('GET /auth/export-data/:id', { as, params });
    return body.status === 'ready';
  });
  const link = await until(world, 'the mail of an export', () => findMailed(person, 'http'));
  const { pathname, search } = new URL(link);
  await until(world, 'the download of an export', async () => {
    const tried = await person.attempt('GET', `${pathname}${search}`);
    const bytes = tried?.response.ok
      ? Buffer.from(await tried.response.arrayBuffer().catch(() => new ArrayBuffer(0)))
      : null;
    return bytes?.subarray(0, 2).toString() === 'PK';
  });
}

async function leaveAndReturn(world: World, person: Person): Promise<void> {
  const { email, password } = person;
  await person.call('DELETE /auth/me', { as: person.token, whenRepeated: [401] });
  await expectRefused(world, person, person.token);
  await person.call('POST /auth/login', { body: { email, password }, accept: [403] });
  const restored = await person.call('POST /auth/restore', { body: { email, password }, whenRepeated: [409] });
  person.token = restored.status === 200 ? restored.body.access_token : (await logIn(person)).access_token;
  await person.call('GET /auth/me', { as: person.token });
  if (Math.random() < 0.5) return;
  await person.call('DELETE /auth/me', { as: person.token, whenRepeated: [401] });
  world.ledger.leavers.add(email);
}
