import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionSession } from '../../src/integrations/platforms.ports.ts';
import { createChatServer } from '../../src/providers/discord/chat-server.ts';
import { type DiscordSimulator, startDiscordSimulator } from '../../src/simulators/discord.ts';
import { eventually } from '../support/eventually.ts';

let discord: DiscordSimulator;
beforeAll(async () => {
  discord = await startDiscordSimulator();
});
afterAll(() => discord.stop());

test('a connection keeps at most 1,000 events waiting, and the next one receives the rest', async () => {
  const server = createChatServer({ apiBase: discord.apiBase });
  const bot = { token: randomUUID(), place: 'guild' };
  const received: string[] = [];
  const processing = Promise.withResolvers<void>();
  let session: ConnectionSession | null = null;
  let up = false;
  const connect = (signal: AbortSignal) =>
    server.connect({
      bot,
      session,
      signal,
      onUp: async () => void (up = true),
      onMessage: async ({ text }) => {
        await processing.promise;
        received.push(text);
      },
      onSession: (next) => (session = next),
    });
  const failed = connect(new AbortController().signal).catch((error: unknown) => error);
  await eventually(() => up);
  const total = 1_300;
  for (let i = 0; i < total; i++) discord.write({ ...bot, channelId: 'c', author: 'Grace', text: String(i) });
  const write = (text: string) => discord.write({ ...bot, channelId: 'c', author: 'Grace', text });
  await eventually(() => discord.connections === 0);
  processing.resolve();
  expect(await failed).toMatchObject({ kind: 'unavailable' });
  expect(received.length).toBeLessThanOrEqual(1_000);
  const stop = new AbortController();
  const second = connect(stop.signal);
  write('last');
  await eventually(() => received.includes('last'));
  stop.abort();
  await second;
  expect(received).toEqual([...Array.from({ length: total }, (_, i) => String(i)), 'last']);
});
