import type { Page } from 'playwright-core';

/** Refuses the next operation of a page whose text contains `operation`, such as `query Messages(`. */
export async function refuseOnce(page: Page, operation: string): Promise<void> {
  let isRefused = false;
  await page.route('**/graphql', (route) => {
    if (isRefused || !route.request().postData()?.includes(operation)) return route.fallback();
    isRefused = true;
    return route.fulfill({ json: { errors: [{ message: 'Not now.', extensions: { code: 'CONFLICT' } }] } });
  });
}
