import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { refuseOnce } from '../../support/refuse-once.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const fields = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };

describe('agents', () => {
  test('are created from a template and changed; changes survive a reload until they are saved', async () => {
    const page = await app.visitSignedIn('/agents');
    await page.getByRole('link', { name: /Tutor/ }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/agents\/agent_.+\/edit|\/agents\/.+\/edit/);
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await page.getByLabel('Description').fill('Numbers only.');
    await page.reload();
    await page.getByText('Unsaved changes').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Numbers only.');
    await page.keyboard.press('Control+s');
    await eventually(async () => {
      const { body } = await app.call('GET', '/v1/agents', { as: page.token });
      return body.data[0].description === 'Numbers only.';
    });
  });

  test('are listed by the order in the address', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    for (const name of ['Bo', 'Ada', 'Cy']) await app.createAgent(page.token, { ...fields, name });
    await page.goto('/agents');
    const names = () => page.getByRole('main').getByRole('listitem').getByRole('link').allInnerTexts();
    await expect.poll(names).toEqual(['Cy', 'Ada', 'Bo']);
    await page.getByLabel('Order').selectOption('By name');
    await page.waitForURL(/sort=NAME/);
    await expect.poll(names).toEqual(['Ada', 'Bo', 'Cy']);
  });

  test('an agent is tried in the preview before it is saved, as its form is now', async () => {
    const page = await app.visitSignedIn('/agents/new');
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Hello?');
    await page.keyboard.press('Enter');
    await page.getByText('Write the instructions first.').waitFor();
    await expect.poll(() => composer.inputValue()).toBe('Hello?');
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Instructions' })
      .fill('Begin every reply with "Ahoy".');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const speech = page.waitForResponse('**/v1/voice/tts');
    await page.getByRole('button', { name: 'Listen to it' }).click();
    expect((await speech).headers()['content-type']).toBe('audio/mpeg');
    await composer.press('Enter');
    await page.getByRole('article', { name: 'Agent' }).filter({ hasText: 'Ahoy' }).waitFor();
    const announced = page.locator('[data-announcer]');
    await announced.filter({ hasText: 'Ahoy' }).waitFor();
    app.model.script({ when: 'Anyone there?', fault: { kind: 'hang', after: 'before_headers' } });
    await composer.fill('Anyone there?');
    await composer.press('Enter');
    await announced.filter({ hasText: 'Agent is writing.' }).waitFor();
    await eventually(() => app.model.requests.some(({ body }) => JSON.stringify(body).includes('Anyone there?')));
    // The sample of the voice has one, too.
    await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => composer.inputValue()).toBe('Anyone there?');
    app.model.script({ when: 'Anyone there?', deltas: ['Half a '], fault: { kind: 'error', after: 1 } });
    await composer.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Try again' }).waitFor();
    const half = page.getByRole('article', { name: 'Agent' }).filter({ hasText: 'Half a' });
    expect(await half.getAttribute('aria-busy')).toBe('false');
    await page.getByLabel('Name').fill('Bo');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Begin every reply with "Farewell".');
    await composer.fill('And now?');
    await composer.press('Enter');
    await page.getByRole('article', { name: 'Bo' }).filter({ hasText: 'Farewell' }).waitFor();
    const asked = app.model.requests.findLast(({ body }) => JSON.stringify(body).includes('And now?'));
    expect(JSON.stringify(asked?.body)).toMatch(/Hello\?.*Ahoy.*Anyone there\?.*Half a.*And now\?/);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(0);
    expect((await app.call('GET', '/v1/agents', { as: page.token })).body.total).toBe(0);
  });

  test('no field that has the focus is behind the bar below the form', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, fields);
    await page.goto(`/agents/${id}/edit`);
    await page.getByLabel('Name').focus();
    await page.getByLabel('Description').fill('Half a');
    const save = page.getByRole('button', { name: 'Save' });
    const bar = save.locator('..');
    const isFocused = (button: Locator) => button.evaluate((element) => element === document.activeElement);
    await page.getByLabel('Name').focus();
    const covered: string[] = [];
    while (!(await isFocused(save))) {
      const hidden = await bar.evaluate((element) => {
        const focused = document.activeElement;
        const { top, bottom } = focused?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
        const isCovered = !element.contains(focused) && bottom > element.getBoundingClientRect().top;
        return isCovered ? `${focused?.getAttribute('name') ?? focused?.outerHTML} ${top} to ${bottom}` : null;
      });
      if (hidden) covered.push(hidden);
      await page.keyboard.press('Tab');
    }
    expect(covered).toEqual([]);
  });

  test('the preview is a view of its own on a phone', async () => {
    const page = await app.visitSignedIn('/agents/new', { viewport: { width: 390, height: 844 } });
    const composer = page.getByRole('textbox', { name: 'Message' });
    expect(await composer.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Preview' }).click();
    await composer.waitFor();
    await expect.poll(() => page.getByLabel('Instructions').isVisible()).toBe(false);
  });

  test('leaving with unsaved changes asks, and the changes are kept', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, fields);
    await page.goto(`/agents/${agent.id}/edit`);
    await page.getByLabel('Description').fill('Half a');
    await page.getByRole('link', { name: 'Explore' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a');
    await page.getByRole('link', { name: 'Explore' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alertdialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Create an account' }).waitFor();
  });

  test('unsaved changes leave other fields as they are, such as whether it is public, or a voice whose name was not loaded', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, { ...fields, voice_id: 'nova' });
    await refuseOnce(page, 'query AgentChoices');
    await page.goto(`/agents/${id}/edit`);
    const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked').innerText();
    const failure = page.getByRole('alert').filter({ hasText: 'Not now.' });
    await failure.waitFor();
    expect([await chosen('Model'), await chosen('Voice')]).toEqual(['Balanced', 'Nova']);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => chosen('Voice')).toBe('Nova: Bright.');
    await page.getByLabel('Description').fill('Half a');
    await page.getByRole('link', { name: 'Listing', exact: true }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('region', { name: 'State' }).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Make public' }).click();
    await page.getByText('In the marketplace', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('switch', { name: 'Public', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await app.call('GET', `/v1/agents/${id}`, { as: page.token });
    expect([body.description, body.is_public]).toEqual(['Half a', true]);
  });

  test('a fault is shown beside its field only, which has the focus, and nothing typed is lost', async () => {
    const page = await app.visitSignedIn('/agents/new');
    await page.getByLabel('Instructions').fill('You are kind.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[name=name][aria-invalid=true]:focus').waitFor();
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Instructions').inputValue()).toBe('You are kind.');
  });

  test('a fault of a field that is scrolled away is brought into view above the bar', async () => {
    const page = await app.visitSignedIn('/agents/new', { viewport: { width: 1280, height: 640 } });
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Name').press('Control+s');
    await page.locator('[name=instructions][aria-invalid=true]:focus').waitFor();
    const save = page.getByRole('button', { name: 'Save' });
    const fault = page.locator(
      '[id="' + (await page.locator(':focus').getAttribute('aria-describedby'))?.split(' ').at(-1) + '"]',
    );
    await expect
      .poll(async () => {
        const [message, bar] = [await fault.boundingBox(), await save.boundingBox()];
        return message !== null && bar !== null && message.y + message.height <= bar.y;
      })
      .toBe(true);
  });

  test('a save that fails says so beside the button, wherever the form is scrolled to', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createAgent(page.token, fields);
    await page.goto(`/agents/${id}/edit`);
    await page.getByLabel('Description').fill('Numbers only.');
    await refuseOnce(page, 'mutation UpdateAgent');
    await page.keyboard.press('Control+s');
    const bottom = async (): Promise<number> => {
      const box = await page.getByRole('alert').filter({ hasText: 'Not now.' }).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    expect(await bottom()).toBeLessThanOrEqual(800);
    expect(await page.evaluate('document.querySelector("#content").scrollTop')).toBe(0);
  });

  test('a published agent is found by others, without its instructions anywhere', async () => {
    const owner = await app.visitSignedIn('/robots.txt');
    const other = await app.createAgent(owner.token, {
      ...fields,
      name: 'Sherlyn',
      category: 'tutor',
      is_public: true,
    });
    await app.db.query('update agents set message_count = 5 where id = $1', [other.id]);
    const agent = await app.createAgent(owner.token, {
      ...fields,
      name: 'Sherlock',
      instructions: 'elementary-secret',
    });
    await owner.goto(`/agents/${agent.id}/edit`);
    await owner.getByLabel('Description').fill('Half a');
    await owner.getByRole('switch', { name: 'Public' }).click();
    const dialog = owner.getByRole('alertdialog', { name: 'Make this agent public?' });
    await dialog.getByRole('group', { name: 'As others see it' }).getByText('Sherlock').waitFor();
    expect(await dialog.innerText()).toContain('Do not put secrets in them.');
    await dialog.getByRole('button', { name: 'Make public' }).click();
    await owner.getByRole('switch', { name: 'Public', checked: true }).waitFor();
    expect((await app.call('GET', `/v1/agents/${agent.id}`, { as: owner.token })).body.description).toBeNull();
    expect(await owner.getByLabel('Description').inputValue()).toBe('Half a');

    const page = await app.visitSignedIn('/robots.txt');
    const bodies: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/graphql'))
        void response.text().then(
          (body) => bodies.push(body),
          () => undefined,
        );
    });
    await page.goto('/explore');
    await page.getByRole('searchbox').fill('Sherl');
    await page.waitForURL(/q=Sherl/);
    const names = () =>
      page
        .getByRole('main')
        .getByRole('listitem')
        .getByRole('link', { name: /^Sherl/ })
        .allInnerTexts();
    await expect.poll(names).toEqual(['Sherlyn', 'Sherlock']);
    await page.getByLabel('Order').selectOption('Recent');
    await expect.poll(names).toEqual(['Sherlock', 'Sherlyn']);
    const chip = (name: string) => page.getByRole('button', { name, exact: true });
    await chip('Tutors').click();
    await page.waitForURL(/category=TUTOR/);
    await expect.poll(names).toEqual(['Sherlyn']);
    await chip('Coaches').click();
    expect(await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href')).toBe('/docs/guide/agents');
    await chip('Coaches').click();
    await expect.poll(names).toEqual(['Sherlock', 'Sherlyn']);
    await page.getByRole('link', { name: 'Sherlock' }).click();
    await page.getByRole('link', { name: 'Start a chat' }).click();
    await page.getByRole('heading', { name: 'Sherlock' }).waitFor();
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.join('') + (await page.content())).not.toContain('elementary-secret');
  });

  test('an agent is deleted after its name is typed', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, fields);
    await page.goto(`/agents/${agent.id}/edit`);
    await page.getByLabel('Description').fill('Half a');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('Ada');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Ada');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/agents$/);
    expect((await app.call('GET', `/v1/agents/${agent.id}`, { as: page.token })).status).toBe(404);
  });
});
