import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** The default suite's settings, and the scenarios that are too long for it. Each may take minutes, so nothing here is watched. */
export default mergeConfig(
  base,
  defineConfig({
    root: new URL('../..', import.meta.url).pathname,
    test: { include: ['test/faults/more/*.fault.ts'], testTimeout: 120_000, hookTimeout: 120_000, watch: false },
  }),
);
