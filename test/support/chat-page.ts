import type { Locator, Page } from 'playwright-core';
import { type ConsoleApp, go, type SignedInPage } from './browser.ts';
import { eventually } from './eventually.ts';

export type ChatPage = SignedInPage & { id: string };

/** An agent with a greeting. */
export const tutor = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };

const shared = new WeakMap<ConsoleApp, SignedInPage>();

/** Opens a new conversation with an agent that has a greeting, in the page that the tests of a file share. */
export async function openChat(app: ConsoleApp): Promise<ChatPage> {
  let page = shared.get(app);
  if (!page || page.isClosed()) {
    page = await app.staySignedIn();
    await app.db.query(`update users set plan = 'creator' where email = $1`, [page.visitor.email]);
    shared.set(app, page);
  }
  await page.context().setOffline(false);
  return openIn(app, page);
}

/** Like `openChat`, with a page and an account of its own. */
export const openOwnChat = async (
  app: ConsoleApp,
  options: Parameters<ConsoleApp['visit']>[1] = {},
): Promise<ChatPage> => openIn(app, await app.visitSignedIn('/robots.txt', options));

async function openIn(app: ConsoleApp, page: SignedInPage): Promise<ChatPage> {
  const { id } = await app.createConversation(page.token, tutor);
  await go(page, `/chat/${id}`);
  await page.getByText(tutor.greeting_message).waitFor();
  await composer(page).waitFor();
  return Object.assign(page, { id });
}

/** Opens a new chat whose conversation cannot be created until the routes of its page are removed. */
export async function openUncreatedChat(app: ConsoleApp): Promise<ChatPage> {
  const page = await openChat(app);
  const { body } = await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token });
  await go(page, `/chat?agent=${body.agent_id}`);
  await page.getByText('Hello!').waitFor();
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('mutation CreateConversation')
      ? route.abort('internetdisconnected')
      : route.fallback(),
  );
  return page;
}

/** Inserts messages into a conversation, after its greeting. */
export const fillWith = (app: ConsoleApp, { id }: { id: string }, count: number) =>
  app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, parent_id, active, created_at)
     select 'msg_' || md5($1 || i)::uuid, $1, c.user_id, i + 10, case when i % 2 = 1 then 'user' else 'assistant' end,
       case i when 1 then 'Once upon a time' when 40 then 'The elusive wombat lives here.' else 'Message number ' || i end,
       'msg_' || md5($1 || (i - 1))::uuid, true, now() + i * interval '1 ms'
     from generate_series(1, $2::int) i cross join conversations c where c.id = $1`,
    [id, count],
  );

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
export const lastReply = (page: Page): Locator => page.locator('article[aria-label="Ada"]').last();
export const lastText = async (page: Page): Promise<string> =>
  (await lastReply(page).innerText()).replaceAll('\n', ' ');

export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

export const finished = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Regenerate' }).last().waitFor();

/** Sets the next reply of the model, which is streamed word by word. */
export const reply = (app: ConsoleApp, text: string, deltaDelayMs = 0): void =>
  app.model.script({ deltas: text.match(/\S+\s*/g) ?? [], deltaDelayMs, when: 'Q:' });

/** Refuses the message streams of a page whose request matches, for the limit of the day, until its routes are removed. */
export async function refuseReplies(page: Page, operation: RegExp): Promise<Locator> {
  const message = 'The limit of today is reached.';
  await page.route('**/graphql/stream', (route) =>
    operation.test(route.request().postData() ?? '')
      ? route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message } } })
      : route.fallback(),
  );
  return page.getByRole('alert').filter({ hasText: message });
}

export const storedMessages = async (app: ConsoleApp, page: ChatPage) =>
  (await app.call('GET', `/v1/conversations/${page.id}/messages`, { as: page.token })).body.data as {
    role: string;
    content: string;
  }[];

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

/** Returns the vertical position of an element once it no longer moves. */
export async function restingPlace(element: Locator): Promise<number> {
  let last = -1;
  return eventually(async () => {
    const y = (await element.boundingBox())?.y ?? 0;
    const isResting = y === last;
    last = y;
    await element.page().evaluate(twoFrames);
    return isResting ? y : null;
  });
}

/** Creates a conversation, waits until the page lists it without a reload, and returns its link and id. */
export async function followed(app: ConsoleApp, page: Page, token: string): Promise<{ id: string; link: Locator }> {
  const { body } = await app.call('GET', '/v1/agents', { as: token });
  const created = await app.call('POST', '/v1/conversations', { as: token, body: { agent_id: body.data[0].id } });
  const { id } = created.body;
  const link = page.getByRole('navigation', { name: 'Conversations' }).locator(`a[href$="${id}"]`);
  await link.waitFor();
  return { id, link };
}
