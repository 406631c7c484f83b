import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import {
  ask,
  finished,
  lastReply,
  openChat,
  openOwnChat,
  refuseReplies,
  reply,
  storedMessages,
} from '../../support/chat-page.ts';
import { eventually } from '../../support/eventually.ts';
import { holdAnswer } from '../../support/hold-answer.ts';
import { refuseOnce } from '../../support/refuse-once.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => {
  app.expectNoFaults();
  app.model.reset();
});
afterAll(() => app.close());

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const long = `Q: ${'what is the difference between these two '.repeat(5)}`;

describe.each([
  ['a phone', phone],
  ['a desktop', {}],
])('on %s', (_where, options) => {
  test.each(['Q: Why?', long])('nothing moves when the reply to "%s" ends and is stored', async (question) => {
    const page = await openOwnChat(app, options);
    reply(app, 'Because.');
    const stored = await holdAnswer(page, 'Messages');
    await ask(page, question);
    await lastReply(page).getByText('Because.').waitFor();
    await stored.answered;
    const boxes = () =>
      page.getByRole('article').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    const before = await boxes();
    await stored.release();
    await lastReply(page).getByRole('button', { name: 'Copy' }).waitFor();
    expect(await boxes()).toEqual(before);
  });
});

describe('a reply', () => {
  test('is read aloud while it is spoken, one sound at a time, as fast as chosen', async () => {
    const page = await openChat(app);
    await page.evaluate(`{
      globalThis.sounds = [];
      const play = HTMLMediaElement.prototype.play;
      // Looped, because a sound that ends while the test waits could not be stopped.
      HTMLMediaElement.prototype.play = function () { this.loop = true; sounds.push(this); return play.call(this); };
    }`);
    reply(app, 'A reply to listen to. It has some more sentences, so that it lasts. They are all the same length.');
    await ask(page, 'Q: voice');
    await finished(page);
    await lastReply(page).hover();
    await lastReply(page).getByRole('button', { name: 'Read aloud' }).click();
    await lastReply(page).getByRole('button', { name: 'Stop reading' }).waitFor();
    await eventually(() => page.evaluate('sounds[0].currentTime > 0'));
    await page.getByLabel('Speed').selectOption('0.75 ×');
    await expect
      .poll(() => page.evaluate('[sounds[0].playbackRate, sounds[0].src.startsWith("blob:")]'))
      .toEqual([0.75, true]);
    await page.getByRole('button', { name: 'Read aloud' }).first().click();
    await eventually(() => page.evaluate('sounds.length === 2 && sounds[0].paused'));
    await page.getByRole('button', { name: 'Stop reading' }).click();
    await expect.poll(() => page.evaluate('sounds[1].paused')).toBe(true);
  });

  test('a new chat offers four beginnings from what the agent is for', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.createAgent(page.token, {
      name: 'Ada',
      instructions: 'You are a tutor.',
      description: 'Explains prime numbers, proofs step by step',
    });
    await page.goto('/chat');
    const starters = page.locator('main').getByRole('button', { name: /prime numbers|proofs|What can you do/ });
    await starters.first().waitFor();
    expect(await starters.count()).toBe(4);
    reply(app, 'With pleasure.');
    await starters.nth(1).click();
    await page.waitForURL(/\/chat\/con/);
    await page.locator('article[aria-label="You"]').getByText('prime numbers').waitFor();
  });

  test('a failed reply says why and is tried again without sending twice', async () => {
    const page = await openChat(app);
    app.model.script({ status: 500, times: 3, when: 'Q: fail' });
    await ask(page, 'Q: fail');
    const alert = page.getByRole('alert').filter({ hasText: 'model' });
    await alert.waitFor();
    // The service has stored the message. A copy of it would be sent twice.
    expect(await page.getByRole('button', { name: 'Remove the message' }).count()).toBe(0);
    reply(app, 'Now it works.');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await lastReply(page).getByText('Now it works.').waitFor();
    expect((await storedMessages(app, page)).filter(({ role }) => role === 'user').length).toBe(1);
  });

  test('a reply that breaks off keeps what came, and its question does not move', async () => {
    const page = await openChat(app);
    const deltas = ['It begins', ' well,', ' and'];
    app.model.script({ when: /break off/, deltas, deltaDelayMs: 500, fault: { kind: 'drop', after: 2 } });
    await ask(page, 'Q: break off');
    await lastReply(page).getByText('It begins').waitFor();
    const question = page.getByRole('article', { name: 'You' }).last();
    const before = await question.boundingBox();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await lastReply(page).getByText('It begins well,').waitFor();
    expect(await lastReply(page).getAttribute('aria-busy')).toBe('false');
    expect(await question.boundingBox()).toEqual(before);
    await page.reload();
    await lastReply(page).getByText('This reply broke off.').waitFor();
    reply(app, 'It ends well.');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await lastReply(page).getByText('It ends well.').waitFor();
    await finished(page);
    expect(await page.getByText('This reply broke off.').count()).toBe(0);
    expect((await storedMessages(app, page)).filter(({ role }) => role === 'user').length).toBe(1);
  });

  test('a reply that breaks off while another screen is shown keeps what came, too', async () => {
    const page = await openChat(app);
    const deltas = ['It begins', ' badly,', ' and'];
    app.model.script({ when: /out of sight/, deltas, deltaDelayMs: 500, fault: { kind: 'drop', after: 2 } });
    await ask(page, 'Q: out of sight');
    await lastReply(page).getByText('It begins').waitFor();
    await go(page, '/agents');
    await eventually(async () => {
      const { rows } = await app.db.query(`select 1 from generations where conversation_id = $1 and state = 'failed'`, [
        page.id,
      ]);
      return rows.length === 1;
    });
    await go(page, `/chat/${page.id}`);
    await lastReply(page).getByText('It begins badly,').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  });

  test('a failed reply does not hold up the next message, and what another device writes is shown after it', async () => {
    const page = await openChat(app);
    await page.context().setOffline(true);
    await ask(page, '[[fail:400]] broken');
    await page.getByText('Waiting for the network').waitFor();
    await ask(page, 'Q: next please');
    reply(app, 'To the next.');
    await page.context().setOffline(false);
    await lastReply(page).getByText('To the next.').waitFor();
    await finished(page);
    const broken = page.getByRole('article', { name: 'You' }).filter({ hasText: 'broken' });
    await broken.getByText('The model provider rejected the request as invalid.').waitFor();
    await ask(page, '[[fail:400]] again');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    reply(app, 'To the other device.');
    const body = { content: 'Q: from elsewhere' };
    await app.call('POST', `/v1/conversations/${page.id}/messages`, { as: page.token, body });
    await lastReply(page).getByText('To the other device.').waitFor();
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(4);
    expect(await page.getByRole('alert').filter({ hasText: 'Try again' }).count()).toBe(0);
  });

  test('a message that the service did not accept holds up the next one, and says so', async () => {
    const page = await openChat(app);
    const alert = await refuseReplies(page, /messageStream/);
    await ask(page, 'Q: refused');
    await alert.waitFor();
    await ask(page, 'Q: behind it');
    const queued = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await queued.getByText('Waiting for the message above').waitFor();
    await page.unrouteAll();
    reply(app, 'From elsewhere.');
    const body = { content: 'Q: from elsewhere' };
    await app.call('POST', `/v1/conversations/${page.id}/messages`, { as: page.token, body });
    await lastReply(page).getByText('From elsewhere.').waitFor();
    app.model.script({ deltas: ['Received.'], when: 'Q:', times: 2 });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await storedMessages(app, page)).length === 7);
    const sent = (await storedMessages(app, page)).filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(sent.toReversed()).toEqual(['Q: from elsewhere', 'Q: refused', 'Q: behind it']);
    await finished(page);
  });

  test('feedback shows at once and survives a reload, and what is refused is not lost', async () => {
    const page = await openChat(app);
    const refuse = () => refuseOnce(page, 'mutation GiveFeedback');
    reply(app, 'Rate me.');
    await ask(page, 'Q: rate');
    await finished(page);
    await refuse();
    await page.getByRole('button', { name: 'Bad reply' }).click();
    await page.getByText('The rating was not stored.').waitFor();
    await page.getByRole('button', { name: 'Bad reply', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Good reply' }).click();
    await page.getByRole('button', { name: 'Good reply', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Add a reason' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Clear.');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Reason' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add a reason' }).click();
    expect(await page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Clear.');
    await page.getByRole('checkbox', { name: 'Share with the creator' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    const stored = (shared: boolean) =>
      eventually(
        async () =>
          (
            await app.db.query(
              `select 1 from message_feedback where comment = 'Clear.' and (shared_at is not null) = $1`,
              [shared],
            )
          ).rowCount,
      );
    await stored(true);
    await page.reload();
    await page.getByRole('button', { name: 'Good reply', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Good reply' }).click();
    await page.getByRole('button', { name: 'Shared with the creator' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Clear and short.');
    await refuse();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Not now.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Clear and short.');
    expect(await page.getByText('Thank you').count()).toBe(0);
    await stored(true);
    await page.getByRole('textbox', { name: 'Reason' }).fill('Clear.');
    await page.getByRole('checkbox', { name: 'Share with the creator' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await stored(false);
    await page.getByRole('button', { name: 'Change the reason' }).waitFor();
  });

  test('a reply has a menu with what it cost and a link that opens at it', async () => {
    const page = await openChat(app);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    reply(app, '**Linked.**');
    await ask(page, 'Q: link');
    await finished(page);
    const choose = async (item: string, of = lastReply(page)) => {
      await of.getByRole('button', { name: 'More' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText(/^This reply: \d+ tokens read, \d+ written, .+ (secs|second)$/).waitFor();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Copy as Markdown');
    await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === '**Linked.**');
    await choose('Copy link to this message');
    await page.getByText('Link copied').waitFor();
    await page.goto((await page.evaluate('navigator.clipboard.readText()')) as string);
    await lastReply(page).getByText('Linked.').waitFor();
    expect(page.url()).toMatch(/\/chat\/conv_[^/]+\?m=msg_/);
    await finished(page);
    reply(app, 'The end.');
    await ask(page, 'Q: and then?');
    await lastReply(page).getByText('The end.').waitFor();
    await finished(page);
    const download = page.waitForEvent('download');
    await choose('Export from here', page.locator('article[aria-label="Ada"]').nth(1));
    const exported = await readFile(await (await download).path(), 'utf8');
    expect(exported.replaceAll(/, \S+Z\n/g, '\n')).toBe(
      '## Agent\n\n**Linked.**\n\n## You\n\nQ: and then?\n\n## Agent\n\nThe end.\n',
    );
    await choose('Read aloud');
    await lastReply(page).getByRole('button', { name: 'Stop reading' }).waitFor();
  });

  test('is renamed in place, exported as the API does it, and deleted after a question', async () => {
    const page = await openChat(app);
    const menu = async (item: string) => {
      await page.getByRole('button', { name: 'Conversation menu' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Numbers');
    // Escape ends the composition of an input method, not the renaming.
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true }))`,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Numbers' }).waitFor();
    const download = page.waitForEvent('download');
    await menu('Export as Markdown');
    const file = await download;
    expect(file.suggestedFilename()).toBe('Numbers.md');
    const refusing = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation DeleteConversation')) return route.fallback();
      await refusing.promise;
      return route.fulfill({ json: { errors: [{ message: 'Not now.', extensions: { code: 'CONFLICT' } }] } });
    });
    const listed = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Numbers' });
    await listed.waitFor();
    await menu('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/chat$/);
    await listed.waitFor({ state: 'detached' });
    refusing.resolve();
    const failure = page.getByRole('alert').filter({ hasText: 'The conversation was not deleted.' });
    await failure.getByText('Not now.').waitFor();
    await listed.waitFor();
    await page.unrouteAll();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await listed.waitFor({ state: 'detached' });
    await eventually(
      async () => (await app.call('GET', `/v1/conversations/${page.id}`, { as: page.token })).status === 404,
    );
  });
});
