import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../../src/app/config.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../src/core/process/log.ts';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import type { Embedder } from '../../src/knowledge/retrieval/embedder.ports.ts';
import { createLocalEmbedder } from '../../src/providers/local-embeddings/embedder.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai/embedder.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { createHarness } from '../support/harness.ts';
import { addAgentWithDocuments } from './fixture-agent.ts';
import { askAll, askWith, figuresOf, type Outcome } from './measure.ts';
import type { EvalQuestion } from './question-set.ts';
import { reportPage } from './report-page.ts';

interface OwnDocuments {
  /** Path of a folder with documents. */
  documents: string;
  /** Path of a JSON file with questions. */
  questions: string;
  /** Path of the HTML file to write. */
  report: string;
}

const formats: readonly string[] = ['txt', 'md', 'pdf', 'csv', 'json'] satisfies DocumentFormat[];

const questionFile = z.array(
  z.object({
    question: z.string().min(1),
    /** File name of the document that answers it; absent when none does. */
    document: z.string().optional(),
    /** Text that the right passage contains. */
    answer: z.string().optional(),
    /** The user's previous message. */
    previous: z.string().optional(),
  }),
);

/** Measures retrieval on a folder of documents and a file of questions, prints the figures and writes a report. */
export async function measureOwn({ documents, questions, report }: OwnDocuments): Promise<void> {
  const asked = await readQuestions(questions);
  const files = await readDocuments(documents);
  const missing = asked.filter(({ document }) => document && !files.some(({ filename }) => filename === document));
  if (missing.length > 0) throw new Error(`${questions} names documents that are not there: ${missing[0]?.document}`);
  const config = readConfig({ ...process.env, PROFILE: 'embedded', DATABASE_URL: undefined });
  const log = createLogger('error');
  const dataDir = await mkdtemp(join(tmpdir(), 'retrieval-eval-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { embedder, stop } = await openEmbedder(config);
  try {
    await migrate(postgres.url, log);
    const harness = await createHarness({ url: postgres.url, config });
    const agentId = await addAgentWithDocuments(harness, embedder, files, config.knowledge.chunkSize);
    const byMode: Record<string, Outcome[]> = {};
    for (const mode of ['blend', 'vectors', 'text'] as const) {
      byMode[mode] = await askAll(asked, askWith(harness.newCtx(), agentId, mode === 'blend' ? undefined : mode));
      const { recallAt1, recallAt5, mrr, passages, nothing } = figuresOf(answered(byMode[mode]));
      process.stdout.write(
        `${mode.padEnd(8)} recall@1 ${recallAt1.toFixed(3)}  recall@5 ${recallAt5.toFixed(3)}  MRR ${mrr.toFixed(3)}  ` +
          `passages ${passages.toFixed(2)}  nothing ${nothing.toFixed(3)}\n`,
      );
    }
    await harness.close();
    await writeFile(report, reportPage({ model: embedder.space, documents: files.length, byMode }));
    process.stdout.write(`Report: ${report}\n`);
  } finally {
    await stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const answered = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ question }) => question.document !== undefined);

async function readQuestions(file: string): Promise<EvalQuestion[]> {
  const parsed = questionFile.parse(JSON.parse(await readFile(file, 'utf8')));
  return parsed.map(({ previous, question, document, answer }) => ({
    kind: kindOf(document, previous),
    question,
    ...(document !== undefined && { document }),
    ...(answer !== undefined && { answer }),
    ...(previous !== undefined && { previous: { question: previous, reply: '' } }),
  }));
}

function kindOf(document: string | undefined, previous: string | undefined): EvalQuestion['kind'] {
  if (document === undefined) return 'c';
  return previous === undefined ? 'a' : 'd';
}

async function readDocuments(folder: string) {
  const names = (await readdir(folder)).filter((name) => formats.includes(extname(name).slice(1).toLowerCase()));
  if (names.length === 0) throw new Error(`${folder} has no file of these formats: ${formats.join(', ')}`);
  return Promise.all(
    names.toSorted().map(async (filename) => ({
      filename,
      format: extname(filename).slice(1).toLowerCase() as DocumentFormat,
      content: await readFile(join(folder, filename)),
    })),
  );
}

/** Opens the embedding provider that the environment configures. */
async function openEmbedder({ knowledge, openai }: ReturnType<typeof readConfig>): Promise<{
  embedder: Embedder;
  stop: () => Promise<void>;
}> {
  if (knowledge.embeddings === 'local') {
    const embedder = createLocalEmbedder();
    return { embedder, stop: () => embedder.stop() };
  }
  const { apiKey, baseUrl } = openai;
  if (apiKey) {
    return {
      embedder: createOpenAiEmbedder({ apiKey, baseUrl, ...knowledge.embedding }),
      stop: () => Promise.resolve(),
    };
  }
  process.stdout.write('No OPENAI_API_KEY: the simulator compares words, not meaning.\n');
  const simulator = await startOpenAiSimulator({ log: createLogger('error') });
  return {
    embedder: createOpenAiEmbedder({ apiKey: 'eval', baseUrl: simulator.baseUrl, ...knowledge.embedding }),
    stop: () => simulator.stop(),
  };
}
