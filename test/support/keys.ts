import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Script: whether the focus is in the dialog over the page, if there is one. */
const isInLayer = `(() => {
  const layer = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1);
  return !layer || layer.contains(document.activeElement);
})()`;

/** Waits until an opened dialog has the focus, or a closed one has returned it; both happen with a delay. */
export const focusInLayer = (page: Page): Promise<unknown> =>
  eventually(() => page.evaluate(isInLayer), { what: 'the focus in the layer' });

export const blur = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.blur()');

/** Waits until the element is shown, then presses Tab until it has the focus. */
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
 * Presses keys outside text fields until the element is shown. Repeats them, because two keys are a sequence only within
 * 1.5 s, and a closed dialog may return the focus to a field in between.
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
