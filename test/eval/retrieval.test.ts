import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReplySources } from '../../src/conversations/reply-sources.ts';
import { packPrompt } from '../../src/conversations/prompt.ts';
import type { RetrievedChunk } from '../../src/knowledge/relevant-chunks.ts';
import { passagesPerMessage, retrieve, type RetrieveOptions } from '../../src/knowledge/retrieve.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import committed from './figures.json' with { type: 'json' };
import { evalDocuments } from './question-set.ts';

/*
 * How good retrieval is, on the stand-in's embeddings and the question set kept here; README.md says how to read it.
 * `npm run eval` prints the table; a figure below the committed one fails. Raise `figures.json` when the figures rise.
 */
const questionsOf = (documents: typeof evalDocuments) =>
  documents.flatMap(({ filename, questions }) => questions.map((question) => ({ question, filename })));
const questions = questionsOf(evalDocuments);
/** By document, so that no text is in both: constants may be chosen by the first half and are judged by the second. */
const halves = {
  tuning: questionsOf(evalDocuments.filter((_, i) => i % 2 === 0)),
  heldOut: questionsOf(evalDocuments.filter((_, i) => i % 2 === 1)),
};
type Half = keyof typeof halves;
const modes = { vectors: { only: 'vectors' }, text: { only: 'text' }, hybrid: {} } as const;

let app: TestApp;
let ctx: Ctx;
let agentId = '';

beforeAll(async () => {
  app = await startTestApp();
  ctx = app.app.newCtx({ kind: 'system' });
  const { token } = await app.signUp({ plan: 'creator' });
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

const measure = async (half: Half, options: Partial<RetrieveOptions>) => {
  const asked = halves[half];
  let found = 0;
  let reciprocal = 0;
  for (const { question, filename } of asked) {
    const rank = (await ask(question, options)).findIndex((chunk) => chunk.filename === filename);
    if (rank < 0) continue;
    found++;
    reciprocal += 1 / (rank + 1);
  }
  return { recallAt5: found / asked.length, mrr: reciprocal / asked.length };
};

const measureHalf = async (half: Half) => ({
  vectors: await measure(half, modes.vectors),
  text: await measure(half, modes.text),
  hybrid: await measure(half, modes.hybrid),
});

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
    const { signal } = new AbortController();
    await ctx.ports.languageModel.stream({ model, turns, signal }, (content) => (reply += sources.write(content)));
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
  const figures = { tuning: await measureHalf('tuning'), heldOut: await measureHalf('heldOut') };
  const citations = await measureCitations();
  process.stdout.write(`\n${evalDocuments.length} documents, ${questions.length} questions\n`);
  for (const half of ['tuning', 'heldOut'] as const) {
    process.stdout.write(`${half.padEnd(10)} recall@5    MRR  (${halves[half].length} questions)\n`);
    for (const mode of ['vectors', 'text', 'hybrid'] as const) {
      const { recallAt5, mrr } = figures[half][mode];
      process.stdout.write(`${mode.padEnd(10)} ${recallAt5.toFixed(3).padStart(8)} ${mrr.toFixed(3).padStart(6)}\n`);
    }
  }
  process.stdout.write(
    `citation precision ${citations.citationPrecision.toFixed(3)}, citations a reply ${citations.citationsPerReply.toFixed(3)}\n`,
  );
  for (const half of ['tuning', 'heldOut'] as const) {
    const { vectors, text, hybrid } = figures[half];
    for (const mode of ['vectors', 'text', 'hybrid'] as const) {
      expect(round(figures[half][mode].recallAt5)).toBeGreaterThanOrEqual(committed[half][mode].recallAt5);
      expect(round(figures[half][mode].mrr)).toBeGreaterThanOrEqual(committed[half][mode].mrr);
    }
    expect(hybrid.recallAt5).toBeGreaterThanOrEqual(Math.max(0.95, vectors.recallAt5, text.recallAt5));
    expect(hybrid.mrr).toBeGreaterThanOrEqual(Math.max(vectors.mrr, text.mrr));
  }
  expect(round(citations.citationPrecision)).toBeGreaterThanOrEqual(committed.citationPrecision);
}, 120_000);
