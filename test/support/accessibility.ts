import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the axe rules that a page violates, each with its elements. */
export async function findings(page: Page, without: string[] = []): Promise<string[]> {
  const violations = await run(page, { type: 'tag', values: tags });
  return violations.filter((violation) => !without.some((rule) => violation.startsWith(`${rule}:`)));
}

/** Like `findings`, with those in the other color scheme, on which only the contrast depends. */
export async function findingsInBoth(page: Page): Promise<string[]> {
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);
  const found = await findings(page);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  found.push(...(await run(page, { type: 'rule', values: ['color-contrast'] })));
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return found;
}

async function run(page: Page, runOnly: { type: 'tag' | 'rule'; values: readonly string[] }): Promise<string[]> {
  // Evaluated through the debugger, which no CSP blocks, and once for all screens of a page.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  return (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  )) as string[];
}
