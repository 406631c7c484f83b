import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReplySources } from '../../src/conversations/reply-sources.ts';
import { packPrompt } from '../../src/conversations/prompt.ts';
import {
  passagesPerMessage,
  retrieve,
  type RetrieveOptions,
  type RetrievedChunk,
} from '../../src/knowledge/retrieve.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import committed from './figures.json' with { type: 'json' };
import { evalDocuments } from './question-set.ts';

/*
 * How good retrieval is, on the stand-in's embeddings and question set kept here. `npm run eval` prints the table; a
 * figure below the committed one fails. Raise `figures.json` when the figures rise.
 */
const questions = evalDocuments.flatMap(({ filename, questions }) =>
  questions.map((question) => ({ question, filename })),
);
const modes = { vectors: { only: 'vectors' }, text: { only: 'text' }, hybrid: {} } as const;

let app: TestApp;
let ctx: Ctx;
let agentId = '';

beforeAll(async () => {
  app = await startTestApp();
  ctx = app.app.newCtx({ kind: 'system' });
  const { token, id } = await app.signUp();
  await app.db.query(`update users set plan = 'creator' where id = $1`, [id]);
  agentId = (await app.createAgent(token)).id;
  const limit = pLimit(8);
  await Promise.all(
    evalDocuments.map(({ filename, text }) =>
      limit(async () => {
        const body = new FormData();
        body.append('file', new Blob([text]), filename);
        const answer = await app.call('POST', `/v1/knowledge/${agentId}/documents`, { as: token, body });
        expect(answer.status).toBe(201);
      }),
    ),
  );
  await eventually(
    async () => {
      const { rows } = await app.db.query(`select count(*)::int as open from documents where status <> 'ready'`);
      return rows[0].open === 0;
    },
    { what: 'every document to be ready', timeoutMs: 110_000 },
  );
}, 120_000);
afterAll(() => app.close());

const ask = (question: string, options: Partial<RetrieveOptions>): Promise<RetrievedChunk[]> =>
  retrieve(ctx, agentId, question, { limit: passagesPerMessage, ...options });

const measure = async (options: Partial<RetrieveOptions>) => {
  let found = 0;
  let reciprocal = 0;
  for (const { question, filename } of questions) {
    const rank = (await ask(question, options)).findIndex((chunk) => chunk.filename === filename);
    if (rank < 0) continue;
    found++;
    reciprocal += 1 / (rank + 1);
  }
  return { recallAt5: found / questions.length, mrr: reciprocal / questions.length };
};

/** Of the citations in replies to all questions, the share that names the document with the answer. */
const measureCitations = async () => {
  let cited = 0;
  let right = 0;
  for (const { question, filename } of questions) {
    const given = await ask(question, {});
    const model = ctx.config.models.default;
    const retrieved = given.map(({ filename: source, content }) => ({ source, content }));
    const { turns } = packPrompt({ instructions: 'You are Ada.', retrieved, history: [], message: question, model });
    const sources = createReplySources();
    sources.give(given);
    let reply = '';
    for await (const event of ctx.ports.languageModel.stream({ model, turns, signal: new AbortController().signal }))
      if (event.type === 'delta') reply += sources.write(event.content);
    for (const citation of sources.cited(reply + sources.end())) {
      cited++;
      if (citation.filename === filename) right++;
    }
  }
  return { citationPrecision: right / cited, citationsPerReply: cited / questions.length };
};

const round = (value: number): number => Math.floor(value * 1_000) / 1_000;

test('retrieval is at least as good as the committed figures, and both parts together at least as good as either', async () => {
  expect(evalDocuments.length).toBeGreaterThanOrEqual(60);
  expect(questions.length).toBeGreaterThanOrEqual(200);
  const figures = {
    vectors: await measure(modes.vectors),
    text: await measure(modes.text),
    hybrid: await measure(modes.hybrid),
    ...(await measureCitations()),
  };
  const rows = Object.keys(modes).map((mode) => {
    const { recallAt5, mrr } = figures[mode as keyof typeof modes];
    return `${mode.padEnd(10)} ${recallAt5.toFixed(3).padStart(9)} ${mrr.toFixed(3).padStart(6)}`;
  });
  process.stdout.write(
    [
      `\n${evalDocuments.length} documents, ${questions.length} questions`,
      `${''.padEnd(10)} recall@5    MRR`,
      ...rows,
      `citation precision ${figures.citationPrecision.toFixed(3)}, citations a reply ${figures.citationsPerReply.toFixed(3)}\n`,
    ].join('\n'),
  );
  for (const mode of ['vectors', 'text', 'hybrid'] as const) {
    expect(round(figures[mode].recallAt5)).toBeGreaterThanOrEqual(committed[mode].recallAt5);
    expect(round(figures[mode].mrr)).toBeGreaterThanOrEqual(committed[mode].mrr);
  }
  expect(round(figures.citationPrecision)).toBeGreaterThanOrEqual(committed.citationPrecision);
  expect(figures.hybrid.recallAt5).toBeGreaterThanOrEqual(0.95);
  expect(figures.hybrid.recallAt5).toBeGreaterThanOrEqual(Math.max(figures.vectors.recallAt5, figures.text.recallAt5));
  expect(figures.hybrid.mrr).toBeGreaterThanOrEqual(Math.max(figures.vectors.mrr, figures.text.mrr));
}, 120_000);
