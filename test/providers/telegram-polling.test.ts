import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createChatMessenger } from '../../src/providers/telegram/chat-messenger.ts';
import { eventually } from '../support/eventually.ts';

test('polls at most once a second when the Bot API returns at once', async () => {
  const polledMs: number[] = [];
  const api = createServer((request, response) => {
    const isPoll = request.url?.endsWith('/getUpdates');
    if (isPoll) polledMs.push(performance.now());
    const result = isPoll ? [] : { id: 1, is_bot: true, first_name: 'Agent', username: 'agent_bot' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const messenger = createChatMessenger({ apiBase: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
  const stop = new AbortController();
  const connection = messenger.connect({
    bot: { token: '1:token', place: '' },
    session: null,
    signal: stop.signal,
    onUp: async () => undefined,
    onMessage: async () => undefined,
    onSession: async () => undefined,
  });
  await eventually(() => polledMs.length >= 3);
  stop.abort();
  await connection;
  const pauses = polledMs.slice(1).map((atMs, i) => atMs - (polledMs[i] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(900);
  await new Promise((resolve) => api.close(resolve));
});
