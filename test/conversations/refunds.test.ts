import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

const messagesADay = 50;
let app: TestApp;
let ada: Account;
let conversation: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.reset();
  ada = await app.signUp();
  conversation = (await app.createConversation(ada.token)).id;
});

const send = (content: string) =>
  app.call('POST', `/v1/conversations/${conversation}/messages`, { as: ada.token, body: { content } });
const fail = async (content: string) => {
  app.model.script({ when: content, deltas: [] });
  expectStatus(await send(content), 502);
};
const stop = async (content: string) => {
  app.model.script({ when: content, fault: { kind: 'hang', after: 'before_headers' } });
  const waiting = send(content);
  await eventually(() => app.model.requests.some(({ body }) => JSON.stringify(body['messages']).includes(content)));
  const stopped = await app.call('POST', `/v1/conversations/${conversation}/messages/stop`, { as: ada.token });
  expect(stopped.body).toEqual({ stopped: true, message_id: null });
  await waiting;
};
const used = async () => (await app.call('GET', '/v1/billing/usage', { as: ada.token })).body.usage.messages_sent;
/** Inserts a number of messages that failed today. */
const refundBefore = (count: number) =>
  app.db.query(
    `insert into usage_counters (user_id, day, messages, refunds) values ($1, (now() at time zone 'UTC')::date, 0, $2)
     on conflict (user_id, day) do update set refunds = excluded.refunds`,
    [ada.id, count],
  );

describe('the charge of a message without a reply', () => {
  test('is returned when it fails or is stopped before its first word', async () => {
    await fail('Fail once');
    await stop('Stop at once');
    expect(await used()).toBe(0);
    expectStatus(await send('Hello'), 201);
    expect(await used()).toBe(1);
  });

  test('is returned as often a day as the plan allows messages', async () => {
    await refundBefore(messagesADay - 2);
    await fail('Fail once');
    await stop('Stop at once');
    expect(await used()).toBe(0);
    await fail('Fail twice');
    await stop('Stop again');
    expect(await used()).toBe(2);
  });

  test('bounds the calls of the model to twice the messages of the plan', async () => {
    await refundBefore(messagesADay);
    await app.db.query(`update usage_counters set messages = $2 where user_id = $1`, [ada.id, messagesADay - 1]);
    await fail('Fail once');
    const refused = await send('Once more');
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  });

  test('keeps counters and charged attempts equal when several are refunded in part', async () => {
    await refundBefore(messagesADay - 1);
    await fail('Fail once');
    await fail('Fail twice');
    const { rows } = await app.db.query(
      `select u.messages, count(g.id)::int as charged from usage_counters u
       left join generations g on g.user_id = u.user_id and g.quota_day = u.day where u.user_id = $1 group by 1`,
      [ada.id],
    );
    expect(rows).toEqual([{ messages: 1, charged: 1 }]);
  });
});
