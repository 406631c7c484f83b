import { afterAll, beforeAll, expect, test } from 'vitest';
import { retrieve } from '../../src/knowledge/retrieval/retrieve.ts';
import { addFixtureAgent } from '../eval/fixture-agent.ts';
import { evalQuestions } from '../eval/question-set.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
let agentId = '';

beforeAll(async () => {
  harness = await openHarness();
  agentId = await addFixtureAgent(harness);
});
afterAll(() => harness.close());

test('embeds a follow-up in one call with two texts, and finds what it refers to', async () => {
  const calls: (readonly string[])[] = [];
  const { embedder } = harness.ports;
  harness.ports.embedder = {
    ...embedder,
    embedQuestion: (texts) => {
      calls.push(texts);
      return embedder.embedQuestion(texts);
    },
  };
  const { question, previous } = evalQuestions.find(({ kind }) => kind === 'd')!;
  const found = await retrieve(harness.newCtx(), agentId, question, { limit: 5, previous: previous!.question });
  expect(calls).toEqual([[question, `${previous!.question}\n${question}`]]);
  expect(found.length).toBeGreaterThan(0);
});

test('searches by words only what an English model cannot read', async () => {
  const { embedder } = harness.ports;
  const embedQuestion = () => Promise.reject(new Error('must not be called'));
  harness.ports.embedder = { ...embedder, isEnglishOnly: true, embedQuestion };
  const found = await retrieve(harness.newCtx(), agentId, 'Что такое Compass club?', { limit: 5 });
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ nearness }) => nearness === null)).toBe(true);
});
