import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vite would take graphql's .mjs where Node takes its .js: two copies, and "another realm" errors.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // One more than the cores that it has to do with: tests of faults mostly wait.
    maxWorkers: 3,
    isolate: false,
    globalSetup: './test/support/global-setup.ts',
    testTimeout: 45_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    reporters: ['default', './test/support/tally.ts'],
  },
});
