import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';
import { composer, openOwnChat, reply } from '../../support/chat-page.ts';
import { succeed } from '../../support/client.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults(/WebSocket|ERR_INTERNET_DISCONNECTED/);
  app.model.reset();
});
afterAll(() => app.close());

interface Frame {
  op?: string;
  after?: string;
  resumed?: string;
}

/** Relays the sockets of a page. `count` is their number; `change` may change a frame of the service. */
async function relaySockets(page: Page, path: string, change: (frame: Frame, socket: WebSocketRoute) => Frame) {
  const relay = { count: 0, dead: 0, withoutOffset: false, open: new Set<WebSocketRoute>() };
  await page.routeWebSocket(`**${path}`, (socket) => {
    relay.count += 1;
    const own = relay.count;
    const isDead = (): boolean => own <= relay.dead;
    const server = socket.connectToServer();
    relay.open.add(socket);
    socket.onMessage((message) => {
      if (isDead()) return;
      const frame = JSON.parse(message.toString()) as Frame;
      if (relay.withoutOffset && frame.op === 'subscribe') delete frame.after;
      server.send(JSON.stringify(frame));
    });
    server.onMessage((message) => {
      if (!isDead()) socket.send(JSON.stringify(change(JSON.parse(message.toString()) as Frame, socket)));
    });
    server.onClose(() => isDead() || void socket.close());
  });
  return relay;
}

const unchanged = (frame: Frame): Frame => frame;
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' });

const call = (page: SignedInPage, method: string, path: string, body?: object) =>
  succeed(app, page.token, method, path, body);

/** Creates a room of two people and an agent, and opens it on both pages. */
async function meet(prepare: (page: SignedInPage) => Promise<unknown>) {
  const [page, guest] = [await app.visitSignedIn('/robots.txt'), await app.visitSignedIn('/robots.txt')];
  const { id } = await call(page, 'POST', '/rooms', { name: 'Kitchen' });
  const agent = await app.createAgent(page.token, { name: 'Ada', instructions: 'You are Ada.' });
  await call(page, 'POST', `/rooms/${id}/agents`, { agent_id: agent.id });
  const { token } = await call(page, 'POST', `/rooms/${id}/invitations`, {});
  await call(guest, 'POST', '/rooms/join', { token });
  await prepare(page);
  for (const each of [page, guest]) {
    await go(each, `/rooms/${id}`);
    await composer(each).waitFor();
  }
  const write = (content: string) => call(guest, 'POST', `/rooms/${id}/messages`, { content });
  await write('Welcome');
  await thread(page).getByText('Welcome', { exact: true }).waitFor();
  return { page, guest, id, write };
}

const signs = {
  'when the network returns': async (page: Page) => {
    await page.context().setOffline(true);
    await page.context().setOffline(false);
  },
  'without any sign of the network': () => Promise.resolve(),
};

describe.each(Object.entries(signs))('a connection that a network has forgotten is replaced %s', (_when, sign) => {
  test('in a room', async () => {
    let relay!: Awaited<ReturnType<typeof relaySockets>>;
    const { page, write } = await meet(async (own) => {
      relay = await relaySockets(own, '/v1/socket', unchanged);
    });
    relay.dead = relay.count;
    await sign(page);
    await write('Lost');
    await thread(page).getByText('Lost', { exact: true }).waitFor({ timeout: 90_000 });
  });

  test('that carries live events', async () => {
    const page = await openOwnChat(app);
    const relay = await relaySockets(page, '/graphql', unchanged);
    await page.reload();
    await thread(page).getByText('Hello!').waitFor();
    await expect.poll(() => relay.count).toBe(1);
    const write = (content: string) => call(page, 'POST', `/conversations/${page.id}/messages`, { content });
    reply(app, 'Alive.');
    await write('Q: alive?');
    await thread(page).getByText('Alive.').waitFor();
    relay.dead = relay.count;
    await sign(page);
    reply(app, 'From elsewhere.');
    await write('Q: elsewhere?');
    await thread(page).getByText('From elsewhere.').waitFor({ timeout: 90_000 });
  });
});

describe('a room whose events are no longer kept', () => {
  test('shows neither a reply that has ended as being written, nor a person as typing', async () => {
    let isGap = false;
    let relay!: Awaited<ReturnType<typeof relaySockets>>;
    const { page, guest, id, write } = await meet(async (own) => {
      relay = await relaySockets(own, '/v1/socket', (frame) =>
        isGap && frame.op === 'subscribed' ? { ...frame, resumed: 'gap' } : frame,
      );
    });
    app.model.script({ when: 'hello', deltas: 'word '.repeat(10).match(/\S+\s*/g) ?? [], deltaDelayMs: 100 });
    await write('@Ada, hello');
    await thread(page).getByText('word').first().waitFor();
    await composer(guest).pressSequentially('Hm');
    await page.getByText('is typing').waitFor();
    await page.context().setOffline(true);
    const messages = async () => (await call(page, 'GET', `/rooms/${id}/messages`)).data.length as number;
    await expect.poll(messages).toBe(3);
    await write('Later');
    [isGap, relay.withoutOffset] = [true, true];
    await page.context().setOffline(false);
    await thread(page).getByText('Later', { exact: true }).waitFor();
    await expect.poll(() => thread(page).locator('article[aria-busy=true]').count()).toBe(0);
    await page.getByText('is typing').waitFor({ state: 'detached' });
  });

  test('waits longer and longer while its connections end as soon as they are open', async () => {
    let ends = false;
    let relay!: Awaited<ReturnType<typeof relaySockets>>;
    const { page, write } = await meet(async (own) => {
      relay = await relaySockets(own, '/v1/socket', (frame, socket) => {
        if (ends && frame.op === 'subscribed') void socket.close({ code: 4408, reason: 'too slow' });
        return frame;
      });
    });
    ends = true;
    const before = relay.count;
    for (const socket of relay.open) await socket.close().catch(() => undefined);
    await page.waitForTimeout(6_000);
    expect(relay.count - before).toBeGreaterThan(1);
    expect(relay.count - before).toBeLessThan(8);
    ends = false;
    await write('At last');
    await thread(page).getByText('At last', { exact: true }).waitFor();
  });
});
