import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, query, settled, upload } from '../support/knowledge.ts';
import { letTasksComeDue } from '../support/leases.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

/** Gives the stored chunks the form that an earlier release gave them. */
const makeOld = async (): Promise<void> => {
  await app.db.query(`alter table chunks disable trigger chunks_terms`);
  await app.db.query(
    `update chunks set language = 'english', spellings = '', terms = to_tsvector('english', place || ' ' || content)`,
  );
  await app.db.query(`update documents set language = 'english'`);
  await app.db.query(`alter table chunks enable trigger chunks_terms`);
};

const formsOfChunks = async () =>
  (await app.db.query(`select id, language::text, spellings, terms::text from chunks order by id`)).rows;

test('a task indexes the chunks that existed before an upgrade like new ones', async () => {
  const place = await knowledgePlace(app);
  const staff = ['id,name,office', ...Array.from({ length: 900 }, (_, i) => `EMP-${13_000 + i},Person ${i},${i % 7}`)];
  // More than one batch in the first document.
  const filler = Array.from(
    { length: 60 },
    (_, i) => `## Part ${i}\n${`Text ${i} of the guide to the house. `.repeat(45)}`,
  );
  const files = {
    'guide.md': filler.join('\n\n'),
    'staff.csv': staff.join('\n'),
    'notice.txt':
      'Die Ku\u0308ndigungsfrist betra\u0308gt drei Monate. Das Bu\u0308ro ist nicht in dem Haus und nicht auf der Insel.',
    'contact.md': 'Desk: +47 22 55 66 77. The invoice of 1 March 2026 is 1,299.00.',
  };
  for (const [filename, text] of Object.entries(files)) {
    const { body } = await upload(app, place, filename, text);
    await settled(app, place, body.id);
  }
  const current = await formsOfChunks();
  expect(current.length).toBeGreaterThan(60);
  await makeOld();
  const found = async (question: string): Promise<string> => {
    const { results } = await query(app, place, question);
    return (results as { content: string; reason: { words: string[] } }[])
      .filter(({ reason }) => reason.words.length > 0)
      .map(({ content }) => content)
      .join('\n');
  };
  expect(await found('4722556677')).not.toContain('+47');
  expect(await formsOfChunks()).not.toEqual(current);

  await app.db.query(`
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
    values ('document.reindex', 'all', '{"after":""}', now(), 1000, now())`);
  await letTasksComeDue(app.db);
  await eventually(async () => isDeepStrictEqual(await formsOfChunks(), current), { what: 'the new index' });
  expect(await found('4722556677')).toContain('+47');
  expect(await found('emp13503')).toContain('EMP-13503');
  expect(await found('Wie lang ist die Kündigungsfrist?')).toContain('Monate');
});
