import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { settled, upload } from '../../support/knowledge.ts';
import { makeScratchFolder } from '../../support/scratch-folder.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const fields = { name: 'Ada', instructions: 'You are a tutor.', greeting_message: 'Hello!' };

describe('the knowledge of an agent', () => {
  test('files are uploaded and processed, a wrong one says what to do, and a question finds its passage', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, fields);
    let listed = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('query Documents(')) listed += 1;
    });
    await page.goto(`/agents/${agent.id}/knowledge`);
    await page.getByText('No documents yet').waitFor();
    expect(listed).toBe(1);
    const text = 'The office opens at nine. Parking is free on Sundays.';
    const folder = await makeScratchFolder('uploads-');
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = { 'guide.md': text, 'setup.exe': 'MZ', 'large.txt': 'a'.repeat(12 * 1_048_576) };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    // By path, so that the browser reads the files itself; contents would be sent through its debugger.
    await page.locator('input[type=file]').setInputFiles(Object.keys(files).map((name) => join(folder, name)));
    await page.getByText('This file type is not supported.').waitFor();
    await page.getByText('This file is larger than 10 MB.').waitFor();
    await page.getByText('Ready, 1 passage').waitFor();
    await page.getByRole('combobox', { name: 'Your question' }).fill('When does the office open?');
    await page.keyboard.press('Enter');
    await page.getByText('guide.md, passage 1').waitFor();
    await page.reload();
    await page.locator('datalist option', { hasText: 'When does the office open?' }).waitFor({ state: 'attached' });
    app.model.script({ deltas: ['At nine.'], when: 'When does the office open?' });
    await page.getByRole('button', { name: 'Ask the agent' }).click();
    await page.waitForURL(/\/chat\/con/);
    await page.locator('article[aria-label="You"]').getByText('When does the office open?').waitFor();
    await page.getByText('At nine.').first().waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'guide.md, passage 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'guide.md' }).waitFor();
    expect(await page.locator('[aria-current=true]').innerText()).toContain('Parking is free on Sundays.');
    await page.getByRole('searchbox').fill('PARKING');
    await page.getByText('1 passage contains this text.').waitFor();
    await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['Parking']);
    await page.getByRole('link', { name: 'All documents' }).click();

    const actions = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
    await actions('guide.md').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(text);

    const drop = async (name: string): Promise<void> => {
      const dataTransfer = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['It never closes.'], ${JSON.stringify(name)}));
        return transfer;
      })()`);
      await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer });
    };
    const held = Promise.withResolvers<void>();
    await page.route('**/documents', async (route) => {
      await held.promise;
      await route.fallback().catch(() => undefined);
    });
    const row = page.getByRole('listitem').filter({ hasText: 'dropped.md' });
    const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/documents'));
    await drop('dropped.md');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'guide.md' }).and(page.locator(':focus')).waitFor();
    await cancelled;
    held.resolve();
    await drop('dropped2.md');
    await page.getByRole('link', { name: 'dropped2.md' }).waitFor();
    expect(await row.count()).toBe(0);

    const next = { name: 'guide2.md', mimeType: 'text/markdown', buffer: Buffer.from('The office opens at ten.') };
    await page.getByLabel('New version of guide.md').setInputFiles(next);
    await page.getByRole('link', { name: 'guide2.md' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'guide.md', exact: true }).count()).toBe(0);
    const last = { name: 'last.md', mimeType: 'text/markdown', buffer: Buffer.from('It closes at five.') };
    await page.getByLabel('Files').setInputFiles(last);
    await page.getByRole('link', { name: 'last.md' }).waitFor();
    const remove = async (name: string, focused: Locator): Promise<void> => {
      await actions(name).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await focused.and(page.locator(':focus')).waitFor();
    };
    await remove('last.md', page.getByRole('link', { name: 'guide2.md' }));
    await remove('guide2.md', page.getByRole('link', { name: 'dropped2.md' }));
    await remove('dropped2.md', page.getByRole('heading', { level: 1 }));
    await page.getByText('No documents yet').waitFor();
  });

  test('a mark in a reply opens its source beside the thread or in a sheet, by mouse and by keys', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = await app.createAgent(page.token, fields);
    const documents = `/v1/knowledge/${agent.id}/documents`;
    const place = { token: page.token, userId: '', agentId: agent.id, documents };
    const { body } = await upload(app, place, 'refunds.md', '# Payments\n\nRefunds are paid within five working days.');
    await settled(app, place, body.id);
    const answer = 'Refunds are paid within five working days: $d < 6$ 【1】.\n\n';
    // The formula is drawn long before the reply ends and gets its sources.
    const deltas = [answer, 'One.\n\n', 'Two.\n\n', 'Three.\n\n', ...Array.from({ length: 40 }, () => 'More. ')];
    app.model.script({ deltas, deltaDelayMs: 50, when: 'refunds' });
    await page.goto(`/chat?agent=${agent.id}`);
    await page.getByRole('textbox', { name: 'Message' }).fill('When are refunds paid?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Source 1: refunds.md', exact: true }).hover();
    await page.getByRole('heading', { name: 'refunds.md, Payments' }).waitFor();
    await page.getByText('Refunds are paid within five working days.').last().waitFor();
    const mark = page.getByRole('button', { name: 'Source 1: refunds.md, passage 1' });
    await page.locator('article', { has: mark }).locator('math').waitFor();
    await mark.focus();
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Sources' });
    const passage = pane.locator('li[aria-current=true]');
    await passage.getByText('Refunds are paid within five working days.').waitFor();
    const isFocused = (element: Locator) => element.and(page.locator(':focus')).waitFor();
    await isFocused(passage);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    await isFocused(mark);

    await page.setViewportSize({ width: 390, height: 844 });
    await mark.click();
    const sheet = page.getByRole('dialog', { name: 'Sources' });
    await isFocused(sheet.locator('li[aria-current=true]'));
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await isFocused(mark);

    await page.getByRole('button', { name: 'Source 1: refunds.md', exact: true }).click();
    await page.getByRole('link', { name: 'Open in the document' }).click();
    await page.getByRole('heading', { level: 1, name: 'refunds.md' }).waitFor();
    expect(await page.locator('[aria-current=true]').innerText()).toContain('Refunds are paid');
  });
});
