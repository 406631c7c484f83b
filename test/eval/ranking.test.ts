import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '../../src/core/ctx.ts';
import { addFixtureAgent } from './fixture-agent.ts';
import { askWith, type Figures, measure } from './measure.ts';
import { evalQuestions, type EvalQuestion } from './question-set.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

/* Ranks with the vectors of a real embedding model; docs/retrieval.md explains the figures. */
let harness: Harness;
let ctx: Ctx;
let agentId = '';

beforeAll(async () => {
  harness = await openHarness();
  ctx = harness.newCtx();
  agentId = await addFixtureAgent(harness);
});
afterAll(() => harness.close());

const figuresOf = (kind: Partial<EvalQuestion>): Promise<Figures> =>
  measure(
    evalQuestions.filter((question) => question.kind === kind.kind && question.sub === kind.sub),
    askWith(ctx, agentId),
  );

describe('with the vectors of a real model', () => {
  test('finds what shares words with the question, first and with few other passages', async () => {
    const { recallAt5, mrr, passages } = await figuresOf({ kind: 'a' });
    expect(recallAt5).toBeGreaterThanOrEqual(0.99);
    expect(mrr).toBeGreaterThanOrEqual(0.95);
    expect(passages).toBeLessThanOrEqual(3);
  });

  test('finds paraphrases as far as the model knows them', async () => {
    expect((await figuresOf({ kind: 'b' })).recallAt5).toBeGreaterThanOrEqual(0.58);
  });

  test('finds what a follow-up refers to, and a new subject as well as without a turn before it', async () => {
    expect((await figuresOf({ kind: 'd' })).recallAt5).toBeGreaterThanOrEqual(0.87);
    expect((await figuresOf({ kind: 's' })).recallAt5).toBeGreaterThanOrEqual(0.98);
  });

  test('returns nothing for small talk, and for some of what the documents are not about', async () => {
    expect((await figuresOf({ kind: 'c', sub: 'chat' })).nothing).toBeGreaterThanOrEqual(0.8);
    expect((await figuresOf({ kind: 'c', sub: 'far' })).nothing).toBeGreaterThanOrEqual(0.3);
  });
});
