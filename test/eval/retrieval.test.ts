import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { packPrompt } from '../../src/conversations/prompt/prompt.ts';
import { createReplySources } from '../../src/conversations/prompt/reply-sources.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { passagesPerMessage, retrieve } from '../../src/knowledge/retrieval/retrieve.ts';
import { createOpenAiLanguageModel } from '../../src/providers/openai/language-model.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import committed from './figures.json' with { type: 'json' };
import { addFixtureAgent } from './fixture-agent.ts';
import { askAll, askWith, type Figures, figuresOf, type Outcome } from './measure.ts';
import { evalQuestions, isHeldOut } from './question-set.ts';

/*
 * Measures retrieval with the vectors of a real model on the committed question set; docs/retrieval.md explains the figures.
 * A figure below the committed one fails. Raise `figures.json` when the figures improve.
 */
let harness: Harness;
let ctx: Ctx;
let simulator: OpenAiSimulator;
let agentId = '';

beforeAll(async () => {
  simulator = await startOpenAiSimulator({ log: createLogger('silent') });
  const { models } = readConfig({ PROFILE: 'embedded' });
  harness = await openHarness({ config: { models } });
  harness.ports.languageModel = createOpenAiLanguageModel({
    apiKey: 'eval',
    baseUrl: simulator.baseUrl,
    firstDeltaTimeoutMs: 60_000,
    textTimeoutMs: 300_000,
    idleTimeoutMs: 60_000,
  });
  ctx = harness.newCtx();
  agentId = await addFixtureAgent(harness);
});
afterAll(async () => {
  await harness.close();
  await simulator.stop();
});

const kinds = { a: 'its words', b: 'paraphrase', d: 'follow-up', s: 'new subject' } as const;
type Kind = keyof typeof kinds;
const modes = ['vectors', 'text', 'blend'] as const;
type Mode = (typeof modes)[number];

const print = (...cells: (string | number)[]): void => {
  const texts = cells.map((cell, i) => (i === 0 ? String(cell).padEnd(34) : shown(cell).padStart(10)));
  process.stdout.write(`${texts.join('')}\n`);
};
const shown = (cell: string | number): string => (typeof cell === 'number' ? cell.toFixed(3) : cell);

const printFigures = (name: string, { recallAt1, recallAt5, mrr, passages, nothing }: Figures): void =>
  print(name, recallAt1, recallAt5, mrr, passages.toFixed(2), nothing);

/** Returns the share of citations, in replies to all questions of kind a, that name the document with the answer. */
async function citationPrecision(): Promise<number> {
  let cited = 0;
  let right = 0;
  for (const { question, document } of evalQuestions.filter(({ kind }) => kind === 'a')) {
    const given = await retrieve(ctx, agentId, question, { limit: passagesPerMessage });
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
      if (citation.filename === document) right++;
    }
  }
  return right / cited;
}

test('retrieval is at least as good as the committed figures', async () => {
  const of = {} as Record<Kind, Record<Mode, Outcome[]>>;
  print('', 'recall@1', 'recall@5', 'MRR', 'passages', 'nothing');
  for (const kind of Object.keys(kinds) as Kind[]) {
    const asked = evalQuestions.filter((question) => question.kind === kind);
    of[kind] = {} as Record<Mode, Outcome[]>;
    for (const mode of modes) {
      of[kind][mode] = await askAll(asked, askWith(ctx, agentId, mode === 'blend' ? undefined : mode));
      printFigures(`${kind} ${kinds[kind]} (${asked.length}), ${mode}`, figuresOf(of[kind][mode]));
    }
    for (const half of [false, true]) {
      const some = of[kind].blend.filter(({ question }) => isHeldOut(question) === half);
      printFigures(`  ${half ? 'held out' : 'tuning'} (${some.length})`, figuresOf(some));
    }
  }
  const nothing = {} as Record<'near' | 'far' | 'chat', number>;
  for (const sub of ['near', 'far', 'chat'] as const) {
    const outcomes = await askAll(
      evalQuestions.filter((question) => question.sub === sub),
      askWith(ctx, agentId),
    );
    nothing[sub] = figuresOf(outcomes).nothing;
    printFigures(`c ${sub} (${outcomes.length}), blend`, figuresOf(outcomes));
  }
  const precision = await citationPrecision();
  print('citation precision', precision);

  for (const kind of Object.keys(kinds) as Kind[]) {
    const { recallAt5, mrr } = figuresOf(of[kind].blend);
    expect(recallAt5).toBeGreaterThanOrEqual(committed[kind].recallAt5);
    expect(mrr).toBeGreaterThanOrEqual(committed[kind].mrr);
  }
  for (const kind of ['a', 'b'] as const) {
    const better = Math.max(figuresOf(of[kind].vectors).recallAt5, figuresOf(of[kind].text).recallAt5);
    expect(figuresOf(of[kind].blend).recallAt5).toBeGreaterThanOrEqual(better - 0.01);
  }
  expect(figuresOf(of.a.blend).passages).toBeLessThanOrEqual(committed.a.passages);
  expect(nothing.chat).toBeGreaterThanOrEqual(committed.nothing.chat);
  expect(nothing.far).toBeGreaterThanOrEqual(committed.nothing.far);
  expect(precision).toBeGreaterThanOrEqual(committed.citationPrecision);
}, 300_000);
