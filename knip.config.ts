import type { KnipConfig } from 'knip';

export default {
  entry: [
    'src/main.ts!',
    'web/src/main.tsx',
    'web/vite.config.ts',
    'web/src/widget/{widget,frame}.ts',
    'rest/emit.ts',
    'rest/released/released.ts',
    'rest/client/emit.ts',
    // Copied into the emitted client.
    'rest/client/runtime/*.ts',
    // Loaded by path, not by import.
    'src/migrations/*.ts!',
    'src/**/*.worker.ts!',
    'test/run.ts',
    'test/attack/run.ts',
    'test/attack/vitest.config.ts',
    'test/attack/lab/start.ts',
    'test/attack/*.attack.ts',
    'test/eval/run.ts',
    'test/eval/extraction/make.ts',
    'test/eval/vitest.config.ts',
    'test/bench/*.ts',
    'test/bench/floors/*.ts',
    'test/bench/peers/{run,provider}.ts',
    'test/soak/run.ts',
    'test/seed/run.ts',
    'test/scale/run.ts',
    'test/screenshots/run.ts',
    'test/faults/*.ts',
    'test/**/*.fault.ts',
    'test/support/assemble-kernel.ts',
    'lint/docs/collect-statements.ts',
    'test/support/failpoints.ts',
    'test/support/made-up-feature/register.ts',
    'test/support/made-up-feature/notes*.ts',
    'test/support/embedded-postgres-process.ts',
    'test/support/cheap-argon2.ts',
  ],
  project: [
    'src/**/*.ts!',
    'schema/**/*.ts!',
    'rest/**/*.ts!',
    'jobs/**/*.ts!',
    'web/**/*.{ts,tsx}',
    'lint/**/*.ts',
    'deploy/**/*.ts',
    'test/**/*.ts',
    '*.ts',
  ],
  // A Debian program with which the bench pins processes to cores; optional.
  ignoreBinaries: ['taskset', 'soffice', 'pdflatex'],
  ignoreDependencies: [
    // The types of a package that has none of its own; a browser and a synthesizer that child processes load.
    '@types/smtp-server',
    '@sparticuz/chromium',
    'espeak-ng',
    'axe-core',
    // Programs that a test runs, and the package that their output imports.
    'oazapfts',
    '@oazapfts/runtime',
    'openapi-typescript-codegen',
    'swagger-typescript-api',
  ],
  // A type that only its own file uses is documentation, not dead code.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
