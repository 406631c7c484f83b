import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findViolations } from '../support/invariants.ts';

let app: TestApp;
let ada: Account;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await startTestApp({ env: { MAX_REPLY_CHARACTERS: '1000000' } });
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends a message and never reads the response. */
function sendAndStall(id: string, content: string): void {
  const body = JSON.stringify({ content });
  const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1', () => {
    socket.pause();
    socket.write(
      `POST /v1/conversations/${id}/messages/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.on('error', () => undefined);
  sockets.push(socket);
}

test('completes replies whose readers never read, without delaying others', async () => {
  const stalled = 20;
  const piece = 'x'.repeat(5_000);
  app.model.script({
    when: /^A lot$/,
    deltas: Array.from({ length: 80 }, () => piece),
    deltaDelayMs: 2,
    times: stalled,
  });
  const { id: first, agent_id } = await app.createConversation(ada.token);
  const conversations = [first];
  while (conversations.length <= stalled) {
    const made = await app.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id } });
    conversations.push(expectStatus(made, 201).body.id);
  }
  const [healthy = '', ...slow] = conversations;
  for (const id of slow) sendAndStall(id, 'A lot');
  await eventually(() => app.model.requests.some((request) => request.deltasSent > 0));

  app.model.script({ when: 'A little', deltas: ['Here ', 'you ', 'are.'] });
  let text = '';
  for await (const event of app.stream(`/v1/conversations/${healthy}/messages/stream`, {
    as: ada.token,
    body: { content: 'A little' },
  })) {
    if (event.event === 'delta') text += event.data.content;
  }
  expect(text).toBe('Here you are.');

  const replies = async () =>
    (
      await app.db.query(
        `select content from messages where conversation_id = any ($1) and role = 'assistant' and length(content) > 1000`,
        [slow],
      )
    ).rows;
  await eventually(async () => (await replies()).length === stalled, { timeoutMs: 30_000 });
  expect(new Set((await replies()).map((row) => row.content.length))).toEqual(new Set([400_000]));
  expect(await findViolations(app.db)).toEqual({});
});
