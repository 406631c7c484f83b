import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { tokenOf } from '../../support/social.ts';
import { type FaultHarness, openFaultHarness, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

const messages = 60;

test('copies a whole share once, and counts its bytes exactly, although the copying instance is killed', async ({
  task,
}) => {
  const kills = countOf({ quick: 3, long: 20 });
  let web = await harness.start({ ROLE: 'web' });
  const owner = await signUpCreator(web, harness.db);
  const reader = await signUpCreator(web, harness.db);
  const { id, agent_id } = await web.createConversation(owner.token, { is_public: true });
  const words = Array.from({ length: 2_500 }, (_, i) => `w${i * 7919}`).join(' ');
  await harness.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 100 + i, 'user', i || ' ' || left($3, 15000), now() from generate_series(1, $4) i`,
    [id, owner.id, words, messages],
  );
  const as = reader.token;
  const body = { type: 'conversation', conversation_id: id };
  const share = expectStatus(await web.call('POST', '/v1/social/shares', { as: owner.token, body }), 201).body;
  const isCopying = async (conversation: string) =>
    (await harness.db.query('select from conversations where id = $1 and copying_share_id is not null', [conversation]))
      .rowCount === 1;
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill++) {
    const copy = expectStatus(await web.call('POST', `/v1/shares/${tokenOf(share)}/continue`, { as }), 201).body;
    const started = copy.message_count as number;
    const dying = await harness.start({ ROLE: 'worker' });
    await eventually(async () => {
      const { rows } = await harness.db.query('select message_count as n from conversations where id = $1', [copy.id]);
      return rows[0].n > started;
    });
    await dying.kill();
    if (await isCopying(copy.id)) interrupted++;
    const next = await harness.start({ ROLE: 'worker' });
    await eventually(async () => !(await isCopying(copy.id)), { timeoutMs: 60_000 });
    await next.kill();
    const { rows } = await harness.db.query(
      `select array_agg(position order by position) as positions from messages where conversation_id = $1`,
      [copy.id],
    );
    expect(rows[0].positions).toEqual(Array.from({ length: messages + 1 }, (_, i) => i + 1));
  }
  web = await harness.start();
  expectStatus(await web.call('DELETE', `/v1/agents/${agent_id}`, { as: owner.token }), 200);
  const counted = async () => {
    const { rows } = await harness.db.query(
      `select u.id, stored_bytes_of(u.id)::float8 as real, coalesce(s.bytes, 0)::float8 as noted,
         exists (select from storage_notes n where n.user_id = u.id) as pending
       from users u left join stored_bytes s on s.user_id = u.id order by u.id`,
    );
    return rows as { real: number; noted: number; pending: boolean }[];
  };
  await eventually(async () => (await counted()).every(({ real, pending }) => real === 0 && !pending), {
    timeoutMs: 90_000,
  });
  expect((await counted()).filter(({ noted }) => noted !== 0)).toEqual([]);
  report(
    { task },
    {
      times: `${kills} kills of the copying instance`,
      checked: 'positions of the copies, bytes of both accounts',
      note: `${interrupted} copies were interrupted`,
    },
  );
});
