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
      onSession: async (next) => void (session = next),
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

test('a connection is up only once its session is stored, so that another one receives what follows', async () => {
  const server = createChatServer({ apiBase: discord.apiBase });
  const bot = { token: randomUUID(), place: 'guild' };
  const done: string[] = [];
  let session: ConnectionSession | null = null;
  const connect = (signal: AbortSignal, store: (next: ConnectionSession | null) => Promise<void>) =>
    server.connect({
      bot,
      session,
      signal,
      onUp: async () => void done.push('up'),
      onMessage: async ({ text }) => void done.push(text),
      onSession: store,
    });
  const refuse = () => Promise.reject(new Error('The database restarts.'));
  await expect(connect(new AbortController().signal, refuse)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(done).toEqual([]);
  const killed = new AbortController();
  const first = connect(killed.signal, async (next) => {
    session = next;
    done.push('stored');
  });
  await eventually(() => done.includes('up'));
  killed.abort();
  await first;
  discord.write({ ...bot, channelId: 'c', author: 'Grace', text: 'meanwhile' });
  const stop = new AbortController();
  const second = connect(stop.signal, async () => undefined);
  await eventually(() => done.includes('meanwhile'));
  stop.abort();
  await second;
  expect(done.slice(0, 2)).toEqual(['stored', 'up']);
});
