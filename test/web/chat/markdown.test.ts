import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareConsole, type SharedConsole } from '../../support/browser.ts';
import { type ChatPage, openChat } from '../../support/chat-page.ts';
import { limitsTime } from '../../support/wall-clock.ts';

let app: SharedConsole;
beforeAll(async () => {
  app = await shareConsole();
});
afterAll(() => app.close());

/** Opens a conversation with a reply of the agent. */
async function openReply(content: string): Promise<ChatPage> {
  const page = await openChat(app);
  await app.db.query(`update messages set content = $2 where conversation_id = $1`, [page.id, content]);
  await page.reload();
  return page;
}

const columns = Array.from({ length: 24 }, (_, n) => `Column ${n + 1}`);
const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const table = [row(columns), row(columns.map(() => '-')), row(columns.map(() => 'a value'))].join('\n');

describe('a wide table in a reply', () => {
  test.each([
    ['of its own', table, 390],
    ['of its own', table, 800],
    ['in a list', `- one\n\n${table.replace(/^/gm, '  ')}`, 390],
  ])('%s can be scrolled to its last column by pointer and keyboard', async (_where, content, width) => {
    const page = await openReply(content);
    await page.setViewportSize({ width, height: 800 });
    const scroller = page.getByRole('region', { name: 'Table' });
    const isLastInside = () =>
      scroller.evaluate((element) => {
        const last = element.querySelector('th:last-of-type')?.getBoundingClientRect();
        const box = element.getBoundingClientRect();
        return last !== undefined && last.right <= box.right + 1;
      });
    await scroller.waitFor();
    expect(await isLastInside()).toBe(false);
    await scroller.focus();
    await page.keyboard.press('End');
    for (let n = 0; n < 120 && !(await isLastInside()); n++) await page.keyboard.press('ArrowRight');
    await expect.poll(isLastInside).toBe(true);
    await scroller.evaluate((element) => element.scrollTo({ left: 0, behavior: 'instant' }));
    await scroller.hover();
    await page.mouse.wheel(10_000, 0);
    await expect.poll(isLastInside).toBe(true);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });
});

describe('a reply made to break the page', () => {
  const bombs = ['>', '\\[\n', '**a *b ', '- ', '- a\nb\n', 'a\n\n', '$x$ ', '|-|\n'];
  test.each(bombs)('is shown with the composer below it: %j', limitsTime, async (unit) => {
    const page = await openReply(`Before.\n\n${unit.repeat(Math.ceil(30_000 / unit.length))}`);
    await page.getByText('Before.').first().waitFor();
    await page.getByRole('textbox', { name: /message/i }).waitFor();
    await expect.poll(() => page.getByText('Something went wrong').count()).toBe(0);
  });
});
