import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { picture } from '../../support/images.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const shots = process.env['PICTURE_SHOTS'];

describe('the picture of an agent', () => {
  test('is made from drafts without a prompt, and shown in the editor and the list', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, { name: 'Captain Fern', description: 'Knows every plant.' });
    await page.goto(`/agents/${agent.id}/edit`);
    await page.getByRole('button', { name: 'Generate a picture' }).click();
    if (shots) await page.screenshot({ path: `${shots}/make-empty.png` });
    const seen = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'images', gate: seen.promise, times: 3 });
    await page.getByRole('button', { name: 'Make 3 drafts' }).click();
    await page.getByText(/Drawing \d picture/).waitFor();
    if (shots) await page.screenshot({ path: `${shots}/make-drawing.png` });
    seen.resolve();
    await page.getByText('Choose one.').waitFor();
    const drafts = page.getByRole('button', { name: 'Use: Based on the agent' });
    await expect.poll(() => drafts.count()).toBe(3);
    await eventually(() =>
      drafts
        .first()
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.naturalWidth === 256),
    );
    if (shots) {
      await page.screenshot({ path: `${shots}/make-ready.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${shots}/make-ready-dark.png` });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: `${shots}/make-ready-phone.png` });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await drafts.first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Picture changed').waitFor();
    await page.locator('main img').first().waitFor();
    if (shots) await page.screenshot({ path: `${shots}/editor.png` });
    await page.goto('/agents');
    await eventually(() =>
      page
        .locator('main img')
        .first()
        .evaluate((img: HTMLImageElement) => img.naturalWidth > 0),
    );
    if (shots) await page.screenshot({ path: `${shots}/list.png` });
  });

  test('is uploaded and cropped with the keyboard, and removed', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, { name: 'Ada' });
    await page.goto(`/agents/${agent.id}/edit`);
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await picture(900, 600, 'jpeg')) };
    await page.getByLabel('Picture to upload').setInputFiles(file);
    const crop = page.getByRole('button', { name: /The visible part/ });
    await crop.press('ArrowLeft');
    await crop.press('+');
    expect(Number(await page.getByRole('slider', { name: 'Zoom' }).inputValue())).toBeCloseTo(1.1);
    if (shots) await page.screenshot({ path: `${shots}/crop.png` });
    await page.getByRole('button', { name: 'Use this part' }).click();
    await page.getByText('Picture changed').waitFor();
    const shown = async () => (await app.call('GET', `/v1/agents/${agent.id}`, { as: page.token })).body.avatar_url;
    expect(await shown()).toMatch(/\/images\/[\w-]{22}\/large\.webp$/);
    await page.getByRole('switch', { name: 'Public' }).click();
    await page.getByRole('group', { name: 'As others see it' }).locator('img').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Picture removed').waitFor();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    expect(await shown()).toBeNull();
  });

  test('says why a picture could not be generated', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, { name: 'Ada' });
    await page.goto(`/agents/${agent.id}/edit`);
    await page.getByRole('button', { name: 'Generate a picture' }).click();
    await page.getByLabel('What it shows').fill('Bad. [[flag:violence]]');
    await page.getByRole('button', { name: 'Make 3 drafts' }).click();
    await page.getByText(/This content is not allowed/).waitFor();
  });
});

test('the picture of a person is made and shown on the profile', async () => {
  const page = await app.visitSignedIn('/settings/profile');
  await page.getByRole('button', { name: 'Generate a picture' }).click();
  await page.getByLabel('What it shows').fill('A fox.');
  await page.getByLabel('Drafts').selectOption('1');
  await page.getByRole('button', { name: 'Make a draft' }).click();
  await page.getByRole('button', { name: 'Use: A fox.' }).click();
  await page.getByText('Picture changed').waitFor();
  await page
    .getByRole('button', { name: /Account menu/ })
    .locator('img')
    .waitFor();
  if (shots) await page.screenshot({ path: `${shots}/profile.png` });
  const { body } = await app.call('GET', '/v1/auth/me', { as: page.token });
  expect(body.avatar_url).toMatch(/\/images\/[\w-]{22}\/large\.webp$/);
});
