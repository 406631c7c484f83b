import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let conversationId: string;
const ids = Array.from({ length: 30 }, () => `msg_${randomUUID()}`);
const otherBranch = `msg_${randomUUID()}`;

/** Creates a conversation of 30 messages, and one more that is not on the active branch. */
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  ({ id: conversationId } = await app.createConversation(ada.token));
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, active, created_at)
     select id, $2, $3, 100 + n, 'user', 'm' || n, true, now() from unnest($1::text[]) with ordinality as t (id, n)
     union all select $4, $2, $3, 131, 'user', 'other', false, now()`,
    [ids, conversationId, ada.id, otherBranch],
  );
});
afterAll(() => app.close());

interface Page {
  data: { id: string }[];
  startCursor: string | null;
  hasNewer: boolean;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const ask = async (args: string, as = ada.token, conversation = conversationId) =>
  (
    await app.graphql(
      `{ messages(conversationId: "${conversation}", ${args}) { data { id } startCursor hasNewer pageInfo { hasNextPage endCursor } } }`,
      { as },
    )
  ).body;
const read = async (args: string): Promise<Page> => {
  const body = await ask(args);
  expect(body.errors).toBeUndefined();
  return body.data.messages;
};
const places = ({ data }: Page) => data.map(({ id }) => ids.indexOf(id));
const codeOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).errors[0].extensions.code;

test('the newest page has no newer messages, even if some are stored while it is read', async () => {
  const { id } = await app.createConversation(ada.token);
  const store = async () => {
    for (let position = 1_000; position < 1_060; position++)
      await app.db.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, active, created_at)
         values ($1, $2, $3, $4, 'user', 'm', true, now())`,
        [`msg_${randomUUID()}`, id, ada.id, position],
      );
  };
  const readOften = async () => {
    const seen = [];
    while (seen.length < 40) seen.push((await ask('limit: 2', ada.token, id)).data.messages.hasNewer);
    return seen;
  };
  const [seen] = await Promise.all([readOften(), store()]);
  expect(seen).not.toContain(true);
});

describe('messages around a message', () => {
  test('are a page with it in the middle, which continues on both sides', async () => {
    const page = await read(`around: "${ids[15]}", limit: 5`);
    expect(places(page)).toEqual([17, 16, 15, 14, 13]);
    expect(page).toMatchObject({ hasNewer: true, pageInfo: { hasNextPage: true } });
    expect(places(await read(`after: "${page.pageInfo.endCursor}", limit: 3`))).toEqual([12, 11, 10]);
    const newer = await read(`newerThan: "${page.startCursor}", limit: 3`);
    expect(places(newer)).toEqual([20, 19, 18]);
    expect(newer).toMatchObject({ hasNewer: true, pageInfo: { hasNextPage: true } });
    expect(places(await read(`after: "${newer.pageInfo.endCursor}", limit: 1`))).toEqual([17]);
  });

  test('end where the conversation ends', async () => {
    expect(await read(`around: "${ids[29]}", limit: 4`)).toMatchObject({ hasNewer: false });
    expect(places(await read(`around: "${ids[29]}", limit: 4`))).toEqual([29, 28, 27]);
    expect(places(await read(`around: "${ids[3]}", limit: 1`))).toEqual([3]);
    const oldest = await read(`around: "${ids[0]}", limit: 100`);
    expect(oldest.pageInfo.hasNextPage).toBe(false);
    expect(places(oldest).slice(0, 30)).toEqual(ids.map((_, place) => 29 - place));
    const newest = await read('limit: 2');
    expect(newest.hasNewer).toBe(false);
    expect(await read(`newerThan: "${newest.startCursor}"`)).toMatchObject({
      data: [],
      startCursor: null,
      hasNewer: false,
    });
  });

  test('are not found for a message of another conversation, user or branch', async () => {
    const other = await app.createConversation(ada.token);
    const eve = await app.signUp();
    expect(await codeOf(`around: "${ids[1]}"`, ada.token, other.id)).toBe('NOT_FOUND');
    expect(await codeOf(`around: "${ids[1]}"`, eve.token)).toBe('NOT_FOUND');
    for (const id of [otherBranch, 'nonsense', `msg_${randomUUID()}`]) {
      expect(await codeOf(`around: "${id}"`)).toBe('NOT_FOUND');
    }
  });

  test('are at most 100, and exclude every other position', async () => {
    const faulty: [string, string][] = [
      [`around: "${ids[1]}", limit: 101`, 'limit'],
      [`around: "${ids[1]}", before: "${ids[2]}"`, 'around'],
      [`around: "${ids[1]}", offset: 1`, 'around'],
      [`around: "${ids[1]}", newerThan: "x"`, 'around'],
      [`newerThan: "x", after: "x"`, 'newerThan'],
      [`newerThan: "x"`, 'newerThan'],
    ];
    for (const [args, field] of faulty) {
      const { errors } = await ask(args);
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: [{ field }] } }]);
    }
  });
});
