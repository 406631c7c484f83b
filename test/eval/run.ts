import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/*
 * `npm run eval` measures retrieval on the committed question set and extraction on committed documents, and
 * `-- extraction` only the latter; `-- --documents DIR --questions FILE [--report FILE]`
 * measures it on other documents, with the embeddings that the environment configures.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string' },
    questions: { type: 'string' },
    report: { type: 'string', default: 'retrieval-report.html' },
  },
});
const { documents, questions, report } = values;
if (documents !== undefined && questions !== undefined) {
  const { measureOwn } = await import('./own-documents.ts');
  await measureOwn({ documents, questions, report });
} else if (documents !== undefined || questions !== undefined) {
  throw new Error('--documents and --questions belong together');
} else {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/eval/vitest.config.ts', ...positionals];
  process.exitCode = spawnSync(process.execPath, vitest, { stdio: 'inherit' }).status ?? 1;
}
