import type { KnipConfig } from 'knip';

export default {
  entry: [
    'src/main.ts!',
    'rest/emit.ts',
    'rest/released.ts',
    'rest/client/emit.ts',
    // Shipped with what is emitted.
    'rest/client/runtime/*.ts',
    // Loaded by path, not by import.
    'src/migrations/*.ts!',
    'src/**/*.worker.ts!',
    'test/attack/run.ts',
    'test/attack/vitest.config.ts',
    'test/attack/lab/start.ts',
    'test/attack/*.attack.ts',
    'test/bench/*.ts',
    'test/bench/floors/*.ts',
    'test/soak/run.ts',
    'test/faults/*.ts',
    'test/faults/more/*.fault.ts',
    'test/support/failpoints.ts',
    'test/support/embedded-postgres-process.ts',
  ],
  project: [
    'src/**/*.ts!',
    'schema/**/*.ts!',
    'rest/**/*.ts!',
    'jobs/**/*.ts!',
    'lint/**/*.ts',
    'test/**/*.ts',
    '*.ts',
  ],
  // Of Debian, where the bench pins processes to cores; it says so when it is not there.
  ignoreBinaries: ['taskset'],
  // The types of a package that has none of its own.
  ignoreDependencies: ['@types/smtp-server'],
  // A type beside the function that speaks it is documentation, not dead code.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
