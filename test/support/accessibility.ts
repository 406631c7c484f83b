import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns the axe rules that a page violates, each with its elements. */
export async function findings(page: Page, without: string[] = []): Promise<string[]> {
  // Evaluated through the debugger, which no CSP blocks, and once for all screens of a page.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  )) as string[];
  return violations.filter((violation) => !without.some((rule) => violation.startsWith(`${rule}:`)));
}
