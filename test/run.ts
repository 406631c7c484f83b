import { startVitest, type TestCase, type TestModule } from 'vitest/node';

/**
 * `npm test`, after the checks: runs every test, or the files that are named. Machines of CI may stall for seconds, so there the files that failed run once
 * more, on their own. What passes then is named as flaky, and is to be mended. The last line is `N passed, N failed`, which
 * `.ci/run` and other tools read.
 */
const mostRepeated = 12;

interface Run {
  modules: readonly TestModule[];
  tests: readonly TestCase[];
  failures: readonly TestCase[];
  /** Files that could not be loaded. */
  broken: number;
  /** Errors outside of any test and file. */
  errors: number;
}

const isFailed = (test: TestCase): boolean => test.result().state === 'failed';
const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;
const passedIn = ({ tests }: Run): number => tests.filter((test) => test.result().state === 'passed').length;

async function run(files: string[]): Promise<Run> {
  const vitest = await startVitest(files, { run: true, watch: false, reporters: ['default'] });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const broken = modules.filter((module) => module.errors().length > 0).length;
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { modules, tests, failures: tests.filter(isFailed), broken, errors };
}

const first = await run(process.argv.slice(2));
const failedFiles = first.modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId);
const isRepeated = Boolean(process.env['CI']) && failedFiles.length > 0 && failedFiles.length <= mostRepeated;
let passed = passedIn(first);
let failed = first.failures.length + first.broken + first.errors;
if (isRepeated) {
  const second = await run(failedFiles);
  const stillFailed = new Set(second.failures.map(nameOf));
  for (const test of first.failures)
    if (!stillFailed.has(nameOf(test))) process.stdout.write(`flaky: ${nameOf(test)}\n`);
  const repeated = first.tests.filter((test) => failedFiles.includes(test.module.relativeModuleId));
  passed += passedIn(second) - repeated.filter((test) => test.result().state === 'passed').length;
  failed = second.failures.length + second.broken + second.errors + first.errors;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
