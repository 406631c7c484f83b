import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type SharedConsole, shareConsole } from '../../support/browser.ts';
import { type Account, expectStatus } from '../../support/client.ts';
import { fitsWidth, outside, small } from '../../support/layout.ts';
import { settled } from '../../support/settled.ts';

/** Shared by the tests of a file. */
export const lab = {} as { app: SharedConsole };

export function useModerationConsole(): void {
  beforeAll(async () => {
    lab.app = await shareConsole();
  });
  afterEach(() => lab.app.expectNoFaults());
  afterAll(() => lab.app.close());
}

export const forms: readonly BrowserContextOptions[] = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];
const report = async (by: Account, subject_id: string, fields: object = {}) =>
  expectStatus(
    await lab.app.call('POST', '/v1/reports', {
      as: by.token,
      body: { subject_type: 'agent', subject_id, reason: 'deception', ...fields },
    }),
    201,
  );
export const decide = async (subject_id: string, action: string, fields: object = {}) =>
  expectStatus(
    await lab.app.call('POST', '/v1/moderation/decisions', {
      as: lab.app.moderator.token,
      body: {
        subject_type: 'agent',
        subject_id,
        action,
        reason: 'deception',
        statement: 'It claims too much.',
        ...fields,
      },
    }),
    201,
  ).body;
export const caseOf = async (id: string, type = 'agent') =>
  (await lab.app.call('GET', `/v1/moderation/cases/${type}/${id}`, { as: lab.app.moderator.token })).body;
/** A public agent of a new account that a reader reported. */
export async function reported(name: string): Promise<{ id: string; owner: Account; reader: Account }> {
  const [owner, reader] = await Promise.all([lab.app.signUp({ plan: 'plus' }), lab.app.signUp()]);
  const { id } = await lab.app.createAgent(owner.token, { name, description: `${name} heals.`, is_public: true });
  await report(reader, id, { comment: 'Not a doctor.' });
  return { id, owner, reader };
}

/** What is wrong with the page as it is shown. */
export async function faultsOf(page: Page): Promise<unknown[]> {
  await settled(page);
  const isTouched = (await page.evaluate('matchMedia("(pointer: coarse)").matches')) as boolean;
  return [
    ...(await findings(page)),
    ...((await page.evaluate(fitsWidth)) ? [] : ['wider than the window']),
    ...((await page.evaluate(isTouched ? small : outside)) as unknown[]),
  ];
}
