import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, shareConsole } from '../../support/browser.ts';
import { composer, openOwnChat } from '../../support/chat-page.ts';
import { settled } from '../../support/settled.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const colorOf = (page: Page, selector: string, property = 'backgroundColor', pseudo = ''): Promise<unknown> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}), '${pseudo}').${property}`);

describe('with forced colors', () => {
  test('selection, focus, switches and meters stay visible', async () => {
    const page = await openOwnChat(app);
    await page.emulateMedia({ forcedColors: 'active' });
    await composer(page).focus();
    const canvas = await colorOf(page, 'aside');
    for (const late of ['aside a[aria-current=page]', '[role=meter] > div > div'])
      await page.locator(late).first().waitFor({ state: 'attached' });
    expect(await colorOf(page, 'aside a[aria-current=page]')).not.toBe(canvas);
    expect(await colorOf(page, 'div:has(> textarea)', 'outlineStyle')).toBe('solid');
    expect(await colorOf(page, '[role=meter] > div > div')).not.toBe(canvas);

    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).hover();
    await expect.poll(() => colorOf(page, '[role=menuitem][data-highlighted]')).not.toBe(canvas);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });

    await go(page, '/settings/preferences');
    const keys = '[role=switch]:checked';
    expect(await colorOf(page, keys)).not.toBe(await colorOf(page, keys, 'backgroundColor', '::before'));
  });

  test('a chart is drawn again in the colours of the system', async () => {
    const page = await openOwnChat(app);
    const body = { url: 'https://hooks.invalid/', events: ['agent.created'] };
    const { id } = (await app.call('POST', '/v1/webhooks', { as: page.token, body })).body;
    await app.call('POST', `/v1/webhooks/${id}/test`, { as: page.token, body: {} });
    await go(page, `/webhooks/${id}`);
    await settled(page);
    await page.locator('canvas').waitFor();
    await page.locator('canvas').evaluate('(canvas) => { canvas.dataset.before = true; }');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('canvas:not([data-before])').waitFor();
    const parts = '[data-color=good]';
    expect(await colorOf(page, parts, 'backgroundColor', '::before')).toBe(await colorOf(page, 'body', 'color'));
  });
});

test('with more contrast, lines and soft text are stronger, in light and dark', async () => {
  const page = await openOwnChat(app);
  await go(page, '/agents');
  await settled(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'no-preference' });
    const usual = [await colorOf(page, 'aside', 'borderInlineEndColor'), await colorOf(page, 'main header p', 'color')];
    await page.emulateMedia({ colorScheme, contrast: 'more' });
    const strong = [
      await colorOf(page, 'aside', 'borderInlineEndColor'),
      await colorOf(page, 'main header p', 'color'),
    ];
    const background = await colorOf(page, 'html');
    const gains = usual.map((one, index) => contrast(strong[index], background) / contrast(one, background));
    expect(Math.min(...gains)).toBeGreaterThan(1.4);
  }
});

/** Returns WCAG's contrast ratio of two colours given as `rgb(…)`. */
function contrast(one: unknown, other: unknown): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: unknown): number {
  const [red = 0, green = 0, blue = 0] = (String(color).match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
