import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/config.ts';
import { createLogger } from '../../src/core/process/log.ts';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import type { Embedder } from '../../src/knowledge/retrieval/embedder.ports.ts';
import { createLocalEmbedder } from '../../src/providers/local-embeddings/embedder.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai/embedder.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { type EvalAgent, isLanguage, smallAgents, smallTalk } from './agents.ts';
import committed from './figures.json' with { type: 'json' };
import { addAgentWithDocuments } from './fixture-agent.ts';
import { askAll, askWith, type Outcome } from './measure.ts';
import { tableAgents, tableSizes } from './tables.ts';

/*
 * Measures what people ask agents with few documents: price lists, FAQs, opening hours, configuration, short texts, rows of tables, other
 * languages, small talk, and questions that nothing answers. docs/retrieval.md explains the figures; a figure below the committed one fails.
 */
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

type Half = EvalAgent['half'];
/** Numbers of questions and of right results by half and kind. */
type Tally = Map<string, { asked: number; right: number }>;

/** Adds an agent and asks its questions, and the small talk of its half in English and in its language. */
async function measureAgent(embedder: Embedder, agent: EvalAgent, tally: Tally): Promise<void> {
  const files = agent.documents.map(({ filename, text }) => ({
    filename,
    format: (/[^.]*$/.exec(filename)?.[0] ?? 'txt') as DocumentFormat,
    content: Buffer.from(text),
  }));
  const agentId = await addAgentWithDocuments(harness, embedder, files);
  const ask = askWith(harness.newCtx(), agentId);
  for (const outcome of await askAll(agent.questions, ask))
    note(tally, agent.half, kindOf(agent, outcome), isRight(outcome));
  if (agent.kind.startsWith('rows')) return;
  const talk = [...smallTalkOf('english', agent.half), ...smallTalkOf(agent.kind, agent.half)];
  for (const { passages } of await askAll(talk, ask)) note(tally, agent.half, 'small talk', passages.length === 0);
}

const smallTalkOf = (language: string, half: Half) =>
  (smallTalk[language] ?? [])
    .filter((_, i) => (i % 2 === 0) === (half === 'tuning'))
    .map((question) => ({ kind: 'c', question }) as const);

const isRight = ({ question, rank, passages }: Outcome): boolean =>
  question.document === undefined ? passages.length === 0 : rank !== null;

function kindOf({ kind }: EvalAgent, { question }: Outcome): string {
  if (question.document === undefined) return 'unanswerable';
  if (question.way) return `rows by ${question.way}`;
  return isLanguage(kind) ? 'other languages' : kind;
}

function note(tally: Tally, half: Half, kind: string, isRightOne: boolean): void {
  const key = `${half}: ${kind}`;
  const { asked, right } = tally.get(key) ?? { asked: 0, right: 0 };
  tally.set(key, { asked: asked + 1, right: right + (isRightOne ? 1 : 0) });
}

async function measureAll(embedder: Embedder, sizes: readonly number[]): Promise<Tally> {
  const tally: Tally = new Map();
  for (const agent of [...smallAgents, ...sizes.flatMap(tableAgents)]) await measureAgent(embedder, agent, tally);
  for (const [key, { asked, right }] of [...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    process.stdout.write(
      `${key.padEnd(34)}${`${right} of ${asked}`.padStart(14)}${(right / asked).toFixed(3).padStart(10)}\n`,
    );
  }
  return tally;
}

function expectFigures(tally: Tally, least: Readonly<Record<string, number>>): void {
  const below = Object.entries(least).filter(([kind, share]) => {
    const { asked = 1, right = 0 } = tally.get(`held-out: ${kind}`) ?? {};
    return right / asked < share;
  });
  expect(below).toEqual([]);
}

describe('small agents', () => {
  test('are searched as well as the committed figures with the simulated embeddings', async () => {
    const simulator = await startOpenAiSimulator({ log: createLogger('silent') });
    const { embedding } = readConfig({ PROFILE: 'embedded' }).knowledge;
    const embedder = createOpenAiEmbedder({ apiKey: 'eval', baseUrl: simulator.baseUrl, ...embedding });
    expectFigures(await measureAll(embedder, tableSizes), committed.smallAgents.simulated);
    await simulator.stop();
  }, 900_000);

  test('are searched as well as the committed figures with the local model', async () => {
    const embedder = createLocalEmbedder();
    expectFigures(await measureAll(embedder, tableSizes.slice(0, 2)), committed.smallAgents.local);
    await embedder.stop();
  }, 900_000);
});
