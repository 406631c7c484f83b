import { afterAll, beforeAll, expect, test } from 'vitest';
import { signAccessToken } from '../../src/accounts/credentials/access-tokens.ts';
import { hasScope, type Scope } from '../../src/core/actor.ts';
import { catalog } from '../../src/app/features.ts';
import { snakeCase } from '../../src/core/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createOwner, createRandomIds, type Owner } from './authorisation-seed.ts';
import {
  allOperations,
  type Operation,
  type Outcome,
  perform,
  type Transport,
  transportsOf,
} from './operation-caller.ts';
import { type Args, type Belongings, operationTable } from './operation-table.ts';

const everyOperation = allOperations();
/** All cells in the order of the table, in which one account can run them all. */
const operations = Object.keys(operationTable).flatMap((name) => everyOperation.filter((one) => one.name === name));
const cells = operations.flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));
const random = createRandomIds();

let app: TestApp;
/** An instance on which `owner` and `twin` are moderators. */
let desk: TestApp;
let owner: Owner;
let twin: Owner;
let stranger: Owner;
let keyHolder: Owner;
const keys = new Map<Scope, string>();

beforeAll(async () => {
  app = await startTestApp();
  [owner, twin, stranger, keyHolder] = await Promise.all([
    createOwner(app),
    createOwner(app),
    createOwner(app),
    createOwner(app),
  ]);
  const env = { DATA_DIR: app.dataDir, MODERATORS: `${owner.id},${twin.id}` };
  desk = await startTestApp({ databaseUrl: app.databaseUrl, env });
  for (const scope of catalog.scopes) keys.set(scope, await createKey(keyHolder, scope));
});
afterAll(async () => {
  await desk.close();
  await app.close();
});

async function createKey({ token: as }: Owner, ...held: Scope[]): Promise<string> {
  const body = { name: held[0], scopes: held };
  return expectStatus(await app.call('POST', '/v1/auth/api-keys', { as, body }), 201).body.key;
}

const argsOf = ({ name }: Operation, its: Belongings, person: Owner): Args =>
  operationTable[name]?.args?.(its, person) ?? {};
const namesAnId = (operation: Operation): boolean =>
  JSON.stringify(argsOf(operation, random, owner)) !== JSON.stringify(argsOf(operation, owner.its, owner));
/** Whether a key with only this scope may call the operation. Keys may never call one that requires a session. */
const isGranted = ({ name, access }: Operation, scope: Scope): boolean => {
  if (access === 'public' || access === 'authenticated') return true;
  const { alsoNeeds = scope } = operationTable[name] ?? {};
  return access !== 'session' && access !== 'moderator' && hasScope([scope], access) && hasScope([scope], alsoNeeds);
};

interface Cell {
  operation: Operation;
  via: Transport;
}

/** Runs the cells with limited concurrency. Returns a line for each cell whose outcome `judge` rejects. */
async function failures<One extends Cell>(
  all: readonly One[],
  run: (cell: One) => Promise<Outcome>,
  judge: (outcome: Outcome, cell: One) => boolean,
  atOnce = 12,
): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...all];
  const work = async () => {
    for (let cell = left.shift(); cell; cell = left.shift()) {
      const { operation, via, ...rest } = cell;
      const outcome = await run(cell).catch((error: unknown) => ({ code: 'no answer', said: String(error) }));
      if (!judge(outcome, cell))
        wrong.push([operation.name, via, ...Object.values(rest), outcome.code ?? 'success', outcome.said].join(' '));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return wrong;
}

test('the table has every operation of the schema and of /v1, and no other', () => {
  expect(Object.keys(operationTable).toSorted()).toEqual(everyOperation.map(({ name }) => name).toSorted());
});

test('an anonymous caller gets 401 everywhere except for public operations', async () => {
  const wrong = await failures(
    cells,
    ({ operation, via }) => perform(app, operation, via, undefined, argsOf(operation, owner.its, stranger)),
    ({ code }, { operation }) =>
      operation.access === 'public' ? code !== 'unauthenticated' : code === 'unauthenticated',
  );
  expect(wrong).toEqual([]);
});

test('an expired token, a revoked session, an expired and a revoked key get 401', async () => {
  const { authKeys } = app.app.newCtx({ kind: 'system' }).config;
  const { rows } = await app.db.query(`select id from sessions where user_id = $1 and revoked_at is null limit 1`, [
    owner.id,
  ]);
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  const { email, password } = owner;
  const ended = expectStatus(await app.call('POST', '/v1/auth/login', { body: { email, password } }), 200).body;
  await app.call('POST', '/v1/auth/logout', { as: ended.access_token });
  const [expiredKey, revokedKey] = [
    await createKey(owner, ...catalog.scopes),
    await createKey(owner, ...catalog.scopes),
  ];
  const newest = (column: string, offset: number) =>
    app.db.query(
      `update api_keys set ${column} = now() - interval '1 minute'
       where id = (select id from api_keys where user_id = $1 order by created_at desc, id desc limit 1 offset $2)`,
      [owner.id, offset],
    );
  await newest('revoked_at', 0);
  await newest('expires_at', 1);
  const dead = {
    'expired token': await signAccessToken(authKeys, {
      userId: owner.id,
      sessionId: rows[0].id,
      issuedAt: twoHoursAgo,
    }),
    'ended session': ended.access_token as string,
    'expired key': expiredKey,
    'revoked key': revokedKey,
  };
  const protectedCells = cells.filter(({ operation }) => operation.access !== 'public');
  const wrong = await failures(
    Object.keys(dead).flatMap((kind) => protectedCells.map((cell) => ({ ...cell, kind: kind as keyof typeof dead }))),
    ({ operation, via, kind }) => perform(app, operation, via, dead[kind], argsOf(operation, owner.its, owner)),
    ({ code }) => code === 'unauthenticated',
  );
  expect(wrong).toEqual([]);
});

test('a key with one scope is refused where a different scope is declared', async () => {
  const refused = catalog.scopes.flatMap((scope) =>
    cells.filter(({ operation }) => !isGranted(operation, scope)).map((cell) => ({ ...cell, scope })),
  );
  const wrong = await failures(
    refused,
    ({ operation, via, scope }) =>
      perform(app, operation, via, keys.get(scope), argsOf(operation, keyHolder.its, keyHolder)),
    ({ code }, { operation }) => code === (operation.access === 'moderator' ? 'not_found' : 'insufficient_scope'),
  );
  expect(wrong).toEqual([]);
});

test('a stranger gets the same response for ids of another user as for unknown ids', async () => {
  const withIds = cells.filter(({ operation }) => namesAnId(operation));
  const ask = ({ operation, via }: Cell, its: Belongings) =>
    perform(app, operation, via, stranger.token, argsOf(operation, its, stranger));
  const said = (outcome: Outcome, its: Belongings) =>
    Object.values(its).reduce((text, id) => text.replaceAll(id, 'ID'), outcome.said);
  const wrong = await failures(
    withIds,
    async (cell) => {
      const [theirs, nothings] = await Promise.all([ask(cell, owner.its), ask(cell, random)]);
      return said(theirs, owner.its) === said(nothings, random)
        ? theirs
        : { code: 'told apart', said: theirs.said + nothings.said };
    },
    ({ code }, { operation }) => code === (operationTable[operation.name]?.denial ?? 'not_found'),
  );
  expect(wrong).toEqual([]);
});

const nul = Object.fromEntries(Object.keys(random).map((name) => [name, 'a\0b'])) as unknown as Belongings;

test('a malformed id gets the same response as an unknown id', async () => {
  const { agentId, conversationId, webhookId, roomId } = stranger.its;
  const inOwnParent = { ...nul, agentId, conversationId, webhookId, roomId };
  const withIds = cells.filter(({ operation }) => namesAnId(operation));
  const wrong = await failures(
    [nul, inOwnParent].flatMap((its) =>
      withIds
        .filter(({ operation }) => JSON.stringify(argsOf(operation, its, stranger)).includes('u0000'))
        .map((cell) => ({ ...cell, its })),
    ),
    ({ operation, via, its }) =>
      perform(app, operation, via, stranger.token, encoded(argsOf(operation, its, stranger), operation, via)),
    // NUL in a JSON body is rejected before any lookup.
    ({ code }, { operation }) =>
      ['not_found', 'invalid_request', operationTable[operation.name]?.denial].includes(code ?? ''),
  );
  expect(wrong).toEqual([]);
});

test('a malformed id is refused for moderators, too', async () => {
  const wrong = await failures(
    cells.filter(({ operation }) => operation.access === 'moderator' && namesAnId(operation)),
    ({ operation, via }) =>
      perform(desk, operation, via, owner.token, encoded(argsOf(operation, nul, owner), operation, via)),
    ({ code }) => code === 'not_found' || code === 'invalid_request',
  );
  expect(wrong).toEqual([]);
});

/** Percent-encodes NUL in the path parameters of REST calls. */
const encoded = (args: Args, { route }: Operation, via: Transport): Args =>
  via === 'graphql'
    ? args
    : Object.fromEntries(
        Object.entries(args).map(([name, value]) => [
          name,
          value === 'a\0b' && route?.path.includes(`:${snakeCase(name)}`) ? 'a%00b' : value,
        ]),
      );

test('a stranger cannot reach another user’s resource through a parent of their own', async () => {
  const { agentId, conversationId, webhookId } = stranger.its;
  const mixed = { ...owner.its, agentId, conversationId, webhookId };
  const wrong = await failures(
    cells.filter(
      ({ operation }) =>
        Object.keys(argsOf(operation, mixed, stranger)).filter((name) => name.endsWith('Id')).length > 1,
    ),
    ({ operation, via }) => perform(app, operation, via, stranger.token, argsOf(operation, mixed, stranger)),
    ({ code }) => code === 'not_found',
  );
  expect(wrong).toEqual([]);
});

const refusals = [
  'unauthenticated',
  'insufficient_scope',
  'plan_limit_exceeded',
  'not_found',
  'internal_error',
  'no answer',
];

test('a key with the declared scope, or the write scope that includes it, is allowed', async () => {
  const granted = operations.flatMap((operation) =>
    catalog.scopes
      .filter((scope) => operation.access !== 'public' && isGranted(operation, scope))
      .map((scope) => ({ operation, via: operation.route ? ('rest' as const) : ('graphql' as const), scope })),
  );
  const wrong = await failures(
    granted,
    ({ operation, via, scope }) =>
      perform(app, operation, via, keys.get(scope), argsOf(operation, keyHolder.its, keyHolder)),
    ({ code }) => !refusals.includes(code ?? ''),
    1,
  );
  expect(wrong).toEqual([]);
});

test.each(['rest', 'graphql'] as const)(
  'an owner may do everything over %s',
  async (via) => {
    const person = via === 'rest' ? owner : twin;
    const { email, password } = person;
    const spare = expectStatus(await app.call('POST', '/v1/auth/login', { body: { email, password } }), 200).body;
    const tokenFor = ({ name }: Operation): string =>
      operationTable[name]?.ownSession ? spare.access_token : person.token;
    const wrong = await failures(
      cells.filter((cell) => cell.via === via),
      ({ operation }) =>
        perform(
          operation.access === 'moderator' ? desk : app,
          operation,
          via,
          tokenFor(operation),
          argsOf(operation, person.its, person),
        ),
      ({ code }) => !refusals.includes(code ?? ''),
      1,
    );
    expect(wrong).toEqual([]);
  },
  60_000,
);
