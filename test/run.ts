import { startVitest, type TestCase, type TestModule } from 'vitest/node';

/**
 * `npm test`, after the checks: runs every test, or the named files. CI machines may stall for seconds, so there failed
 * files run again, one at a time, and those that fail again run a last time. Tests that pass only then are reported as
 * flaky and must be fixed. The last line is `N passed, N failed`, which `.ci/run` and other tools read.
 */
const mostRepeated = 12;
const repetitions = process.env['CI'] ? 2 : 0;

interface Run {
  modules: readonly TestModule[];
  /** Errors outside of any test and file. */
  errors: number;
}

const isBroken = (module: TestModule): boolean => module.errors().length > 0;
const testsIn = (module: TestModule, state: 'passed' | 'failed'): TestCase[] =>
  [...module.children.allTests()].filter((test) => test.result().state === state);
const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

async function run(files: string[], options: { maxWorkers?: number } = {}): Promise<Run> {
  const vitest = await startVitest(files, { run: true, watch: false, reporters: ['default'], ...options });
  const modules = vitest.state.getTestModules();
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { modules, errors };
}

/** The last run of each file counts; an error outside of any test and file counts whenever it happened. */
const last = new Map<string, TestModule>();
const failedOnce = new Set<string>();
let errors = 0;

/** Returns the files that failed. */
function count(made: Run): string[] {
  errors += made.errors;
  for (const module of made.modules) {
    last.set(module.relativeModuleId, module);
    if (isBroken(module)) failedOnce.add(module.relativeModuleId);
    for (const test of testsIn(module, 'failed')) failedOnce.add(nameOf(test));
  }
  return made.modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId);
}

let failedFiles = count(await run(process.argv.slice(2)));
if (failedFiles.length <= mostRepeated) {
  for (let turn = 0; turn < repetitions && failedFiles.length > 0; turn++) {
    failedFiles = count(await run(failedFiles, { maxWorkers: 1 }));
  }
}
const modules = [...last.values()];
const broken = modules.filter(isBroken);
const failures = modules.flatMap((module) => testsIn(module, 'failed'));
const stillFailed = new Set([...broken.map((module) => module.relativeModuleId), ...failures.map(nameOf)]);
for (const name of failedOnce) if (!stillFailed.has(name)) process.stdout.write(`flaky: ${name}\n`);
const passed = sum(modules.map((module) => testsIn(module, 'passed').length));
const failed = failures.length + broken.length + errors;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
