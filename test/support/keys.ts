import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Whether the focus is where the next key belongs: in the layer over the page, if there is one. */
const isInLayer = `(() => {
  const layer = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1);
  return !layer || layer.contains(document.activeElement);
})()`;

/** A layer takes the focus a moment after it is shown, and gives it back a moment after it is gone. */
export const focusInLayer = (page: Page): Promise<unknown> =>
  eventually(() => page.evaluate(isInLayer), { what: 'the focus in the layer' });

export const blur = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.blur()');

/** Presses Tab until the focus is on the element, which has to be shown first. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  await focusInLayer(page);
  for (let steps = 0; steps < 120; steps++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the focus did not get there');
}

/**
 * Presses keys outside of every field until the element is shown: two keys are a sequence within a second and a half only, and
 * a layer that is just gone gives the focus back to a field.
 */
export async function pressUntil(page: Page, keys: string, shown: Locator): Promise<void> {
  await eventually(
    async () => {
      await blur(page);
      for (const key of keys) await page.keyboard.press(key);
      return shown.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    },
    { what: `the effect of the keys ${keys}` },
  );
}
