import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with the line `N passed, N failed`, which `.ci/run` and other tools read. A file that could not be loaded
 * and an error outside of any test count as one failure each.
 */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    process.stdout.write(`${passed} passed, ${failed + broken + unhandledErrors.length} failed\n`);
  }
}
