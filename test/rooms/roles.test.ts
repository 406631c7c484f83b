import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createRoom, settledTurns, type TestRoom } from '../support/rooms.ts';

const roles = ['owner', 'moderator', 'member', 'invited', 'left', 'removed', 'banned', 'stranger'] as const;
type Role = (typeof roles)[number];

/** Ids for paths and bodies. Actions on members target another member. */
interface Things {
  other: Account;
  names: readonly [string, string];
  message: string;
  othersMessage: string;
  turn: string;
  link: string;
  agent: string;
  newAgent: string;
}

let app: TestApp;
let room: TestRoom;
let people: Record<Role, Account>;
let things: Things;

beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: JSON.stringify({ anonymous: 1e6, creator: 1e6, free: 1e6 }) } });
  room = await createRoom(app, { people: 1, agents: ['Ada'] });
  const [owner, other] = room.people as [Account, Account];
  const others = await Promise.all(roles.slice(1).map(async (role) => [role, await app.signUp()] as const));
  people = { owner, ...Object.fromEntries(others) } as typeof people;
  const names = ['first', 'second'].map((name) => `${name}-${owner.id.slice(-8)}`) as [string, string];
  for (const username of names) await app.signUp({ username });
  const { message } = await room.post(owner, '@Ada?');
  const { message: othersMessage } = await room.post(other, 'Hello.');
  const [turn] = await settledTurns(app, room.id, owner);
  const link = await app.call('POST', `/v1/rooms/${room.id}/invitations`, { as: owner.token, body: {} });
  const newAgent = await app.createAgent(owner.token, { name: 'Bob', is_public: true });
  things = {
    other,
    names,
    message: message.id,
    othersMessage: othersMessage.id,
    turn: turn!.id,
    link: expectStatus(link, 201).body.id,
    agent: room.agents[0]!.id,
    newAgent: newAgent.id,
  };
});
afterAll(() => app.close());

/** Restores every role that the previous call may have changed. */
async function restore(): Promise<void> {
  const members = [...Object.entries(people), ['member', things.other] as const].filter(
    ([role]) => role !== 'stranger',
  );
  const isRole = (role: string) => role === 'owner' || role === 'moderator';
  await app.db.query(
    `insert into room_members (room_id, user_id, role, state, created_at)
     select $1, u.id, u.role, u.state, now() from unnest($2::text[], $3::text[], $4::text[]) u (id, role, state)
     on conflict (room_id, user_id) do update set role = excluded.role, state = excluded.state`,
    [
      room.id,
      members.map(([, { id }]) => id),
      members.map(([role]) => (isRole(role) ? role : 'member')),
      members.map(([role]) => (isRole(role) || role === 'member' ? 'joined' : role)),
    ],
  );
  await app.db.query(`delete from room_members where room_id = $1 and user_id <> all ($2)`, [
    room.id,
    members.map(([, { id }]) => id),
  ]);
  await app.db.query(`delete from room_agents where room_id = $1 and agent_id = $2`, [room.id, things.newAgent]);
  await app.db.query(
    `insert into room_agents (room_id, agent_id, added_by, position, created_at) values ($1, $2, $3, 1, now())
     on conflict do nothing`,
    [room.id, things.agent, people.owner.id],
  );
}

interface Route {
  method: string;
  path: (its: Things) => string;
  body?: (its: Things) => object;
  /** Statuses for the owner, a moderator, a member and someone who is invited. Everyone else gets 404. */
  expected: readonly [number, number, number, number];
}

const route = (
  method: string,
  path: string | ((its: Things) => string),
  expected: Route['expected'],
  body?: (its: Things) => object,
): Route => ({ method, path: typeof path === 'string' ? () => path : path, expected, ...(body && { body }) });

const routes: readonly Route[] = [
  route('GET', '', [200, 200, 200, 200]),
  route('GET', '/members', [200, 200, 200, 404]),
  route('GET', '/messages', [200, 200, 200, 404]),
  route('GET', '/turns', [200, 200, 200, 404]),
  route('GET', '/events', [200, 200, 200, 404]),
  route('GET', '/invitations', [200, 200, 403, 404]),
  route('POST', '/messages', [201, 201, 201, 404], () => ({ content: 'Hello.' })),
  route('POST', '/turns', [201, 201, 201, 404], ({ agent }) => ({ agent_id: agent })),
  route('POST', ({ turn }) => `/turns/${turn}/stop`, [200, 200, 403, 404]),
  route('POST', '/stop', [200, 200, 200, 404]),
  route('PUT', '/read', [200, 200, 200, 404], () => ({ position: 1 })),
  route('PUT', '', [200, 200, 403, 404], () => ({ name: 'Pantry', description: 'Full.' })),
  route('PUT', '', [200, 403, 403, 404], () => ({ scene: 'A pantry.' })),
  route('PUT', '', [200, 403, 403, 404], () => ({ payer: 'owner' })),
  route('POST', '/members', [201, 201, 403, 404], ({ names }) => ({ username: names[0] })),
  route('POST', '/members', [201, 403, 403, 404], ({ names }) => ({ username: names[1], role: 'moderator' })),
  route(
    'PUT',
    ({ other }) => `/members/${other.id}`,
    [200, 200, 403, 404],
    () => ({ muted_until: null }),
  ),
  route(
    'PUT',
    ({ other }) => `/members/${other.id}`,
    [200, 200, 403, 404],
    () => ({ state: 'banned' }),
  ),
  route(
    'PUT',
    ({ other }) => `/members/${other.id}`,
    [200, 403, 403, 404],
    () => ({ role: 'moderator' }),
  ),
  route(
    'PUT',
    ({ other }) => `/members/${other.id}`,
    [403, 403, 403, 404],
    () => ({ shows_presence: false }),
  ),
  route('DELETE', ({ other }) => `/members/${other.id}`, [200, 200, 403, 404]),
  route('POST', '/invitations', [201, 201, 403, 404], () => ({})),
  route('POST', '/invitations', [201, 403, 403, 404], () => ({ role: 'moderator' })),
  route('DELETE', ({ link }) => `/invitations/${link}`, [200, 200, 403, 404]),
  route('POST', '/agents', [201, 201, 403, 404], ({ newAgent }) => ({ agent_id: newAgent })),
  route(
    'PUT',
    ({ agent }) => `/agents/${agent}`,
    [200, 200, 403, 404],
    () => ({ muted: false }),
  ),
  route(
    'PUT',
    ({ agent }) => `/agents/${agent}`,
    [200, 200, 403, 404],
    () => ({ position: 1 }),
  ),
  route('DELETE', ({ agent }) => `/agents/${agent}`, [200, 200, 403, 404]),
  route('DELETE', ({ message }) => `/messages/${message}`, [200, 403, 403, 404]),
  route('DELETE', ({ othersMessage }) => `/messages/${othersMessage}`, [200, 200, 403, 404]),
  route('POST', '/transfer', [200, 403, 403, 404], () => ({ user_id: people.owner.id })),
  route('POST', '/transfer/accept', [409, 409, 409, 404]),
  route('DELETE', '/transfer', [409, 409, 409, 404]),
  route('POST', '/join', [404, 404, 404, 200]),
  route('POST', '/decline', [404, 404, 404, 200]),
  // The last one, because it deletes the room.
  route('DELETE', '', [200, 403, 403, 404]),
];

async function statusOf({ method, path, body }: Route, by: Account): Promise<number> {
  const leave = new AbortController();
  const response = await app.send(method, `/v1/rooms/${room.id}${path(things)}`, {
    as: by.token,
    signal: leave.signal,
    ...(body && { body: body(things) }),
  });
  leave.abort();
  return response.status;
}

test('each route of a room returns for each role what it may: 403 to those who see the room, 404 to everyone else', async () => {
  const wrong: string[] = [];
  for (const one of routes) {
    for (const role of roles.toReversed()) {
      await restore();
      const status = await statusOf(one, people[role]);
      const expected = one.expected[roles.indexOf(role)] ?? 404;
      if (status !== expected) wrong.push(`${role}: ${one.method} ${one.path(things)} ${status}, not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the table has every route of a room', async () => {
  const { roomRoutes } = await import('../../rest/routes/rooms.ts');
  const ofRooms = roomRoutes.routes.filter(({ path }) => /^\/rooms\/:(id|room_id)/.test(path));
  const shapeOf = (method: string, path: string) => `${method} ${path.replaceAll(/\/(:\w+|[\w]+[-_][\w-]+)/g, '/:x')}`;
  const known = new Set(routes.map(({ method, path }) => shapeOf(method, `/rooms/:id${path(things)}`)));
  expect(ofRooms.map(({ method, path }) => shapeOf(method, path)).filter((shape) => !known.has(shape))).toEqual([]);
});
