import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.config.ts';

/** The scenarios that are too long for the default suite. Each may take minutes, so nothing here is watched. */
export default mergeConfig(
  base,
  defineConfig({
    root: new URL('../..', import.meta.url).pathname,
    test: {
      include: ['test/**/*.test.ts', 'test/**/*.fault.ts'],
      globalSetup: './test/support/global-setup.ts',
      testTimeout: 120_000,
      hookTimeout: 120_000,
      watch: false,
    },
  }),
);
