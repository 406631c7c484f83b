import type { Page } from 'playwright-core';

export interface HeldAnswer {
  /** Resolves once the service has answered. */
  answered: Promise<void>;
  /** Gives the page the answer, and resolves once the page has had time to render it. */
  release(): Promise<void>;
}

/** Lets the service answer the next `times` GraphQL operations of a name, and keeps the answers from the page. */
export async function holdAnswer(page: Page, operation: string, times = 1): Promise<HeldAnswer> {
  const gate = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const given: Promise<void>[] = [];
  const name = new RegExp(`(query|mutation) ${operation}\\b`);
  await page.route('**/graphql', async (route) => {
    if (given.length === times || !name.test(route.request().postData() ?? '')) return route.fallback();
    const done = Promise.withResolvers<void>();
    given.push(done.promise);
    const response = await route.fetch();
    answered.resolve();
    await gate.promise;
    // The page may have cancelled it.
    await route.fulfill({ response }).catch(() => undefined);
    done.resolve();
  });
  return {
    answered: answered.promise,
    release: async () => {
      gate.resolve();
      await Promise.all(given);
      await page.evaluate(
        'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 50))',
      );
    },
  };
}

/** Loses the answer to the next GraphQL operation of a name, after the service has executed it. */
export async function loseAnswer(page: Page, operation: string): Promise<void> {
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes(`mutation ${operation}`)) return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
}
