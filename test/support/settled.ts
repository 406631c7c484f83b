import type { Page } from 'playwright-core';

/** Waits until a page has its heading and nothing is loading. Its network is never idle, because it follows events. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}
