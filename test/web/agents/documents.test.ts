import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, go, type SignedInPage, shareConsole } from '../../support/browser.ts';
import { type KnowledgePlace, query, settled, upload } from '../../support/knowledge.ts';
import { encryptedPdf } from '../../support/pdf.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const agent = { name: 'Ada', instructions: 'You are a tutor.' };
const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

async function openKnowledge(
  prepare?: (page: SignedInPage) => Promise<void>,
): Promise<{ page: SignedInPage; place: KnowledgePlace }> {
  const page = await app.visitSignedIn('/robots.txt');
  await prepare?.(page);
  const { id: agentId } = await app.createAgent(page.token, agent);
  await page.goto(`/agents/${agentId}/knowledge`);
  await page.getByText('No documents yet').waitFor();
  return { page, place: { token: page.token, userId: '', agentId, documents: `/v1/knowledge/${agentId}/documents` } };
}

describe('knowledge', () => {
  test('a PDF with a password says what to do, can be read again and is replaced by one without', async () => {
    const { page } = await openKnowledge();
    await page.getByLabel('Files').setInputFiles(file('secret.pdf', encryptedPdf()));
    const reason = page.getByText('This PDF has a password. Save it without one and upload it again.');
    await reason.waitFor();
    await page.getByRole('button', { name: 'Actions for secret.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Try again' }).click();
    await reason.waitFor();
    await page.getByLabel('New version of secret.pdf').setInputFiles(file('open.txt', 'The office opens at nine.'));
    await page.getByText('Ready, 1 passage').waitFor();
    expect(await reason.count()).toBe(0);
    await page.getByLabel('New version of open.txt').setInputFiles(file('secret.pdf', encryptedPdf()));
    const failed = page.getByRole('listitem').filter({ has: reason });
    await failed.getByText('The previous version is still in use.').waitFor();
    await page.getByText('Ready, 1 passage').waitFor();
    await page.getByLabel('New version of secret.pdf').setInputFiles(file('late.txt', 'The office opens at ten.'));
    await page.getByRole('link', { name: 'late.txt' }).waitFor();
    await expect
      .poll(() =>
        page
          .getByRole('listitem')
          .filter({ hasText: /open.txt|secret.pdf/ })
          .count(),
      )
      .toBe(0);
  });

  test('what could not be read is named, the text is shown with its rows, and an upload states its encoding', async () => {
    const { page } = await openKnowledge();
    await page.getByLabel('Files').setInputFiles(file('prices.csv', 'product,price\nLamp,49.90\n"Chair,12\nTable,99'));
    await page.getByText('Not everything could be read').waitFor();
    await page.getByRole('link', { name: 'prices.csv' }).click();
    await page.getByText('One row has a quotation mark without its counterpart. It is read as plain text.').waitFor();
    await page.getByText('(row 3 (line 3))').waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('rows 2–4').waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('text');
    await page.getByText('product: Table; price: 99').waitFor();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByLabel('Text encoding').selectOption('shift_jis');
    const bytes = Uint8Array.from([0x89, 0xbf, 0x8a, 0x69, 0x95, 0x5c]);
    await page.getByLabel('Files').setInputFiles(file('list.txt', bytes));
    await page.getByRole('link', { name: 'list.txt' }).click();
    await page.getByText('価格表').waitFor();
    await page.getByText('read as shift_jis').waitFor();
  });

  test('an upload asks before the page is left, and continues after a new sign-in when its session was revoked', async () => {
    const { page } = await openKnowledge();
    const held = Promise.withResolvers<void>();
    await page.route('**/documents', async (route) => {
      await held.promise;
      await route.fallback();
    });
    const embedded = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'embeddings', when: 'quorum', gate: embedded.promise });
    await page.getByLabel('Files').setInputFiles(file('guide.txt', 'The quorum is nine.'));
    await page.getByText('guide.txt').waitFor();
    await page.getByRole('link', { name: 'Explore' }).click();
    await page
      .getByRole('alertdialog', { name: 'Leave during the upload?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await app.db.query(
      'update sessions set revoked_at = now() where user_id = (select id from users where email = $1)',
      [page.visitor.email],
    );
    held.resolve();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(page.visitor.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Actions for guide.txt' }).click();
    await page.getByRole('menuitem', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    expect(await page.getByText('guide.txt').count()).toBe(0);
    embedded.resolve();
  });

  test('a document that is cancelled on another device while it is processed leaves the list', async () => {
    const { page, place } = await openKnowledge((opened) => opened.clock.install());
    const embedded = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'embeddings', when: 'quorum', gate: embedded.promise });
    const reads: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.postData()?.includes('query Documents(')) reads.push(request.url());
    });
    await page.getByLabel('Files').setInputFiles(file('guide.txt', 'The quorum is nine.'));
    const row = page.getByRole('listitem').filter({ hasText: 'guide.txt' });
    await row.getByText('Processing').waitFor();
    // After the upload, and when the updates are received.
    await expect.poll(() => reads.length).toBeGreaterThanOrEqual(2);
    const { body } = await app.call('GET', place.documents, { as: page.token });
    await app.call('DELETE', `${place.documents}/${body.data[0].id}`, { as: page.token });
    await page.clock.fastForward(30_000);
    await row.waitFor({ state: 'detached' });
    embedded.resolve();
  });

  test('a reload while a document is processed loses nothing, it becomes ready without another one, and opens at a passage', async () => {
    const { page } = await openKnowledge();
    const sentences = Array.from({ length: 4_000 }, (_, place) => `Room ${place} opens at ${place % 24} o'clock.`);
    const uploaded = page.waitForResponse('**/documents');
    await page.getByLabel('Files').setInputFiles(file('rooms.md', sentences.join('\n\n')));
    expect((await uploaded).status()).toBeLessThan(300);
    await page.reload();
    await page.getByText('rooms.md').waitFor();
    await page.getByText(/^Ready, \d+ passages$/).waitFor();
    const path = await page.getByRole('link', { name: 'rooms.md' }).getAttribute('href');
    await go(page, `${path}?chunk=40`);
    const opened = page.locator('[aria-current=true]').filter({ hasText: 'Passage 41' });
    await opened.waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByText('Passage 66', { exact: true }).waitFor();
    // The page is scrolled to its passage once, not at each change.
    const height = page.viewportSize()?.height ?? 0;
    expect(Math.abs((await opened.boundingBox())?.y ?? 0)).toBeGreaterThan(height);
  });

  test('a question shows the passages of the API in its order, with the words of the question that were found', async () => {
    const { page, place } = await openKnowledge();
    const texts = {
      'hours.md': 'The libraries are open from nine to eight.',
      'rules.md': 'Libraries lend books for four weeks.',
      'food.md': 'Food is not allowed.',
    };
    for (const [name, text] of Object.entries(texts))
      await settled(app, place, (await upload(app, place, name, text)).body.id);
    const question = 'When is the library open?';
    await page.goto(`/agents/${place.agentId}/knowledge?query=${encodeURIComponent(question)}`);
    const results = page.getByRole('main').locator('ol > li');
    await results.first().waitFor();
    const { results: expected } = await query(app, place, question, 8);
    expect(expected.length).toBeGreaterThan(0);
    const shown = await results.locator('header a').allInnerTexts();
    expect(shown).toEqual(
      expected.map(
        (found: { filename: string; chunk_index: number }) => `${found.filename}, passage ${found.chunk_index + 1}`,
      ),
    );
    expect(await results.first().locator('bdi').last().innerText()).toContain('library');
    expect(await results.locator('mark').allInnerTexts()).toEqual(['libraries', 'open']);
    const fewer = page.waitForRequest((request) => /"limit":3\b/.test(request.postData() ?? ''));
    await page.getByLabel('Number of passages').selectOption('3');
    await fewer;
    await results.first().waitFor();
  });
});

describe('at the limit of a plan', () => {
  const plans = (page: SignedInPage) => page.getByRole('main').getByRole('link', { name: 'See the plans' });

  test('a document that fails no longer counts, without a reload', async () => {
    const { page } = await openKnowledge();
    await page.getByLabel('Files').setInputFiles([file('good.txt', 'Rule one.'), file('secret.pdf', encryptedPdf())]);
    await page.getByText('This PDF has a password.').waitFor();
    await page.getByText('1 of 5 documents of your plan').waitFor();
  });

  test('a further document shows the limit and links to the plans, and stays listed until it is removed', async () => {
    const { page, place } = await openKnowledge();
    for (let count = 0; count < 5; count++)
      expect((await upload(app, place, `guide-${count}.txt`, `Rule ${count}.`)).status).toBeLessThan(300);
    await page.reload();
    await page.getByText('5 of 5 documents of your plan').waitFor();
    await page.getByText('Ready, 1 passage').nth(4).waitFor();
    await page.getByLabel('New version of guide-0.txt').setInputFiles(file('guide-5.txt', 'Rule 5.'));
    await page.getByRole('link', { name: 'guide-5.txt' }).waitFor();
    await expect.poll(() => page.getByText('guide-0.txt').count()).toBe(0);
    await page.getByText('5 of 5 documents of your plan').waitFor();
    await page.getByLabel('Files').setInputFiles(file('sixth.txt', 'One too many.'));
    const row = page.getByRole('listitem').filter({ hasText: 'sixth.txt' });
    await row.getByRole('link', { name: 'See the plans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'See the plans' }).waitFor();
    await row.getByRole('button', { name: 'Try again' }).click();
    await row.getByRole('link', { name: 'See the plans' }).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'guide-5.txt' }).waitFor();
    expect(await row.count()).toBe(0);
  });

  test('a further agent shows the limit, links to the plans and keeps what was typed', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    for (let count = 0; count < 3; count++) await app.createAgent(page.token, { ...agent, name: `Ada ${count}` });
    await page.goto('/agents');
    await page.getByText('3 of 3 agents of your plan').waitFor();
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('Fourth');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('You are the fourth.');
    await page.getByRole('button', { name: 'Save' }).click();
    await plans(page).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'New agent' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Fourth');
    expect(await page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('You are the fourth.');
  });
});
