import { join } from 'node:path';
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import { pureTests } from './lint/pure-tests.ts';
import { LongestFirst } from './lint/longest-first.ts';

/** Settings of every run of tests. */
export const base = defineConfig({
  resolve: {
    // Vite would load graphql's .mjs and Node its .js: two copies, and "another realm" errors.
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      // The hash of a password is most of the cost of a sign-up, and of many tests.
      { find: '@node-rs/argon2', replacement: join(import.meta.dirname, 'test/support/cheap-argon2.ts') },
    ],
  },
  test: {
    pool: 'forks',
    // One more than the usual number of cores: fault tests mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    isolate: false,
    // Without the cache a run of one file spends a third of its CPU time on transforming modules again.
    fsModuleCache: true,
    // CI machines may stall for ten seconds, several times in a test. Passing tests are not slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
    teardownTimeout: 10_000,
    reporters: ['default', './test/support/tally.ts'],
  },
});

const unit = pureTests(import.meta.dirname);

/** `unit`: pure code, without a database. `service`: everything else, on one PostgreSQL. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      projects: [
        { extends: true, test: { name: 'unit', include: unit } },
        {
          extends: true,
          test: {
            name: 'service',
            include: ['test/**/*.test.ts'],
            exclude: [
              ...configDefaults.exclude,
              ...unit,
              'test/eval/retrieval.test.ts',
              'test/eval/small-agents.test.ts',
            ],
            globalSetup: './test/support/global-setup.ts',
          },
        },
      ],
    },
  }),
);
