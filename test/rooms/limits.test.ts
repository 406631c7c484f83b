import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMentions } from '../../src/rooms/messages/mentions.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { asAgent, createRoom, postMessage, settledTurns } from '../support/rooms.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: JSON.stringify({ anonymous: 1e6, creator: 1e6, free: 1e6 }) } });
});
afterAll(() => app.close());

test('a person writes 60 messages a minute in all rooms together', async () => {
  const [one, two] = [await createRoom(app, { people: 1 }), await createRoom(app)];
  const [writer, other] = one.people as [Account, Account];
  await app.db.query(
    `insert into room_members (room_id, user_id, role, state, created_at) values ($1, $2, 'member', 'joined', now())`,
    [two.id, writer.id],
  );
  const posts = Array.from({ length: 60 }, (_, i) => postMessage(app, i % 2 ? one.id : two.id, writer, `${i}`));
  for (const { status } of await Promise.all(posts)) expect(status).toBe(201);
  expect(await postMessage(app, one.id, writer, 'One more.')).toMatchObject({ status: 429 });
  expect(await postMessage(app, one.id, other, 'Mine.')).toMatchObject({ status: 201 });
});

describe('a choice of the model under auto', () => {
  const isChoosing = (body: Record<string, unknown>) => JSON.stringify(body).includes('Choose which agents');
  const choices = () => app.model.requests.filter(({ body }) => isChoosing(body)).length;
  const setUsage = (userId: string, messages: number, chosen: number) =>
    app.db.query(
      `insert into usage_counters (user_id, day, messages, choices) values ($1, (now() at time zone 'utc')::date, $2, $3)
       on conflict (user_id, day) do update set messages = $2, choices = $3`,
      [userId, messages, chosen],
    );
  const usageOf = async (userId: string) =>
    (await app.db.query('select messages, choices from usage_counters where user_id = $1', [userId])).rows[0];

  test('is not made for a payer without messages left, whose refusal the author sees once', async () => {
    const settings = { reply_mode: 'auto', payer: 'owner' };
    const room = await createRoom(app, { people: 1, agents: ['Ada', 'Bob'], settings });
    const [owner, guest] = room.people as [Account, Account];
    await app.db.query(`update users set plan = 'free' where id = $1`, [owner.id]);
    await setUsage(owner.id, 50, 0);
    const before = choices();
    for (const by of [owner, guest]) {
      await room.post(by, 'Who knows?');
      await eventually(async () => (await settledTurns(app, room.id, by)).at(-1)?.state === 'refused');
    }
    const turns = [...(await settledTurns(app, room.id, owner)), ...(await settledTurns(app, room.id, guest))];
    expect(turns.map(({ state, error }) => [state, error?.code])).toEqual([
      ['refused', 'rate_limited'],
      ['refused', 'rate_limited'],
    ]);
    expect([choices() - before, await usageOf(owner.id)]).toEqual([0, { messages: 50, choices: 0 }]);
  });

  test('counts before it is made, also when it fails, at most as often a day as the plan allows messages', async () => {
    const room = await createRoom(app, { people: 1, agents: ['Ada'], settings: { reply_mode: 'auto' } });
    const owner = room.people[0]!;
    await app.db.query(`update users set plan = 'free' where id = $1`, [owner.id]);
    await setUsage(owner.id, 0, 47);
    const before = choices();
    app.model.script({ when: isChoosing, status: 400, times: 9 });
    const posts = Array.from({ length: 6 }, (_, i) => room.post(owner, `Question ${i}?`));
    await Promise.all(posts);
    await eventually(async () => (await usageOf(owner.id)).choices === 50 && choices() - before === 3);
    const addressed = await room.post(owner, '@Ada?');
    expect(addressed.turns).toMatchObject([{ agent_id: room.agents[0]!.id }]);
    expect(await settledTurns(app, room.id, owner)).toHaveLength(1);
    expect([choices() - before, (await usageOf(owner.id)).choices]).toEqual([3, 50]);
  });
});

test('20 turns wait behind the running one, and the next one is dropped', async () => {
  const settings = { reply_mode: 'all', replies_per_message: 10 };
  const room = await createRoom(app, { agents: ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gil'], settings });
  const owner = room.people[0]!;
  const gate = Promise.withResolvers<void>();
  app.model.script({ when: asAgent('Ada'), deltas: ['Hm.'], gate: gate.promise, times: 1 });
  const first = await room.post(owner, 'One?');
  expect(first.turns.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'queued'));
  await eventually(async () => {
    const { body } = await app.call('GET', `/v1/rooms/${room.id}/turns`, { as: owner.token });
    return body.data.at(-1).state === 'running';
  });
  expect((await room.post(owner, 'Two?')).turns.every(({ state }) => state === 'queued')).toBe(true);
  const third = await room.post(owner, 'Three?');
  expect(third.turns.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'queued'));
  const fourth = await room.post(owner, 'Four?');
  expect(fourth.turns).toMatchObject([{ state: 'dropped', error: { code: 'rate_limited' } }]);
  const stopping = app.call('POST', `/v1/rooms/${room.id}/stop`, { as: owner.token });
  expect(expectStatus(await stopping, 200).body.data).toHaveLength(21);
  gate.resolve();
  const states = (await settledTurns(app, room.id, owner)).map(({ state }) => state);
  expect(states.filter((state) => state === 'dropped')).toHaveLength(1);
});

test('a room has at most 100 open invitations by name and 50 open links, and a person is in at most 500 rooms', async () => {
  const room = await createRoom(app);
  const owner = room.people[0]!;
  const now = 'now(), now()';
  await app.db.query(
    `with u as (
       insert into users (id, email, username, password_hash, created_at, updated_at)
       select 'usr_' || gen_random_uuid(), $1 || i || '@example.com', $1 || i, '', ${now} from generate_series(1, 100) i returning id
     ) insert into room_members (room_id, user_id, role, state, created_at) select $2, id, 'member', 'invited', now() from u`,
    [`many-${owner.id.slice(-8)}-`, room.id],
  );
  await app.db.query(
    `insert into room_invitations (id, room_id, created_by, token_hash, role, max_uses, expires_at, created_at)
     select 'rin_' || gen_random_uuid(), $1, $2, sha256(i::text::bytea), 'member', 1, now() + interval '1 day', now()
     from generate_series(1, 50) i`,
    [room.id, owner.id],
  );
  await app.signUp({ username: `late-${owner.id.slice(-8)}` });
  const body = { username: `late-${owner.id.slice(-8)}` };
  const conflict = { status: 409, body: { error: { code: 'conflict' } } };
  expect(await app.call('POST', `/v1/rooms/${room.id}/members`, { as: owner.token, body })).toMatchObject(conflict);
  expect(await app.call('POST', `/v1/rooms/${room.id}/invitations`, { as: owner.token, body: {} })).toMatchObject(
    conflict,
  );

  const other = await createRoom(app);
  const guest = await app.signUp();
  const link = await app.call('POST', `/v1/rooms/${other.id}/invitations`, { as: other.people[0]!.token, body: {} });
  await app.db.query(
    `with r as (
       insert into rooms (id, owner_id, name, reply_mode, agent_hops, replies_per_message, payer, history, created_at, updated_at)
       select 'room_' || gen_random_uuid(), $1, 'Many', 'mention', 0, 3, 'sender', 'all', ${now} from generate_series(1, 500)
       returning id
     ) insert into room_members (room_id, user_id, role, state, created_at) select id, $2, 'member', 'joined', now() from r`,
    [owner.id, guest.id],
  );
  const join = { as: guest.token, body: { token: link.body.token } };
  expect(await app.call('POST', '/v1/rooms/join', join)).toMatchObject(conflict);
});

test('the first five names of a message count, as whole words, the longest that fits, without regard to case', () => {
  const agents = ['Ada', 'Ada Lovelace', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Öl'].map((name) => ({
    kind: 'agent' as const,
    id: name,
    name,
  }));
  const named = (content: string) => findMentions(content, agents).map(({ id }) => id);
  expect(named('@ada @BOB, @cleo; @Dan. (@eve) @fay')).toEqual(['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']);
  expect(named('@Ada Lovelace and @adam, bob@bob.example, @@Bob')).toEqual(['Ada Lovelace', 'Bob']);
  expect(named('@ada @ada @öl')).toEqual(['Ada', 'Öl']);
});

test.each([
  ['你好@小助手你好', ['小助手']],
  ['＠小助手，在吗？ ＠Ada在吗', ['小助手', 'Ada']],
  ['ありがとう@ボットさん', ['ボット']],
  ['@아다는 어때?', ['아다']],
  ['สวัสดี@บอทช่วยด้วย', ['บอท']],
  ['@Zoe\u0301 and @Zoé', ['Zoé']],
  ['ＡＤＡ@ada ＠ＡＤＡ', ['Ada']],
  ['@Ada😀 and a @Boté', ['Ada']],
  ['mail x@小助手.example or @Adam', []],
])('a mention needs no spaces in scripts without them, and is found in each form: %s', (content, expected) => {
  const names = ['Ada', 'Bot', '小助手', 'ボット', '아다', 'บอท', 'Zoé'];
  const agents = names.map((name) => ({ kind: 'agent' as const, id: name, name: name.normalize('NFD') }));
  expect(findMentions(content, agents).map(({ id }) => id)).toEqual(expected);
});

test('mentions need no spaces in scripts that have none, and ignore width, accents and composition', () => {
  const agents = ['小助手', '小助', 'Ada', 'José', 'Jose', '도우미', 'ผู้ช่วย', 'مُحَمَّد', 'C++'].map((name) => ({
    kind: 'agent' as const,
    id: name,
    name,
  }));
  const named = (content: string) => findMentions(content, agents).map(({ id }) => id);
  expect(named('你好@小助手你好')).toEqual(['小助手']);
  expect(named('问＠小助吧，谢谢@Ada你')).toEqual(['小助', 'Ada']);
  expect(named('＠ａｄａ, ＠小助手abc')).toEqual(['Ada', '小助手']);
  expect(named('@Jose\u0301!')).toEqual(['José']);
  expect(named('@jose')).toEqual(['Jose']);
  expect(named('@도우미에게 @ผู้ช่วยครับ')).toEqual(['도우미', 'ผู้ช่วย']);
  expect(named('يا @محمد')).toEqual(['مُحَمَّد']);
  expect(named('@A\u200bda🎉 @C++')).toEqual(['Ada', 'C++']);
  expect(named('ada@ada.example é@ada 𝐀@ada @adams')).toEqual([]);
});
