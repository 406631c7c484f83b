import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { suiteFiles } from './rows.ts';

/** Runs the attacks in the order of their names, so that the search for leaks comes last. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const name = ({ moduleId }: TestSpecification) => (moduleId.includes('/test/attack/') ? 'b' : 'a') + moduleId;
    return files.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/attack/*.attack.ts', ...suiteFiles],
    pool: 'forks',
    // One at a time: many responses are timed.
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { sequencer: ByName },
    globalSetup: './test/attack/lab/start.ts',
    testTimeout: 60_000,
    hookTimeout: 90_000,
    teardownTimeout: 20_000,
    reporters: ['default'],
  },
});
