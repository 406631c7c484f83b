import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../../vitest.config.ts';

/** `npm run eval`. */
export default mergeConfig(
  base,
  defineConfig({
    root: new URL('../..', import.meta.url).pathname,
    test: { include: ['test/eval/*.test.ts'], globalSetup: './test/support/global-setup.ts', testTimeout: 120_000 },
  }),
);
