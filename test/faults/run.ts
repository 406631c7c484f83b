import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest, type TestCase, type Vitest } from 'vitest/node';
import type { FaultRow, Scenario } from './rows/fault-row.ts';
import { rows } from './rows.ts';

/**
 * `npm run faults [-- [--long] [--write] [F01 …]]`: runs the scenarios of every row, or of those named, and prints what
 * was broken, how often, what was checked and how it ended. Ends with 1 unless every row was run and passed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean' }, write: { type: 'boolean' } },
});
const isLong = values.long ?? false;
const chosen = chosenRows(positionals);
process.env['FAULTS'] = isLong ? 'long' : 'quick';
const startMs = performance.now();
const vitest = await runScenarios(chosen.flatMap(({ scenarios }) => scenarios));
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const results = chosen.map((row) => summarize(row, tests));
await vitest.close();
const minutes = (performance.now() - startMs) / 60_000;
const failed = results.filter(({ outcome }) => outcome === 'failed').length;
const notRun = results.filter(({ outcome }) => outcome === 'not run').length;
const end = `${results.length - failed - notRun} rows passed, ${failed} failed, ${notRun} not run, in ${minutes.toFixed(1)} minutes.`;
const text = `${isLong ? 'Long' : 'Quick'} form, ${cpus().length} processors, Node ${process.version}.\n\n${table(results)}\n\n${end}\n`;
process.stdout.write(`\n${text}`);
if (values.write)
  await writeFile(
    join(import.meta.dirname, 'reference.md'),
    `# Reference\n\nWritten by \`npm run faults -- --write\`.\n\n${text}`,
  );
process.exit(failed + notRun > 0 ? 1 : 0);

function chosenRows(ids: readonly string[]): readonly FaultRow[] {
  const unknown = ids.filter((id) => rows.every((row) => row.id !== id));
  if (unknown.length > 0)
    throw new Error(`No row ${unknown.join(', ')}; there are ${rows.map(({ id }) => id).join(', ')}.`);
  return ids.length > 0 ? rows.filter(({ id }) => ids.includes(id)) : rows;
}

/** Runs only these tests of these files. */
function runScenarios(scenarios: readonly Scenario[]): Promise<Vitest> {
  const patterns = scenarios.map(({ name }) => name.replaceAll(/[^\w ]/g, '.'));
  return startVitest([...new Set(scenarios.map(({ file }) => `test/${file}`))], {
    config: join(import.meta.dirname, 'vitest.config.ts'),
    run: true,
    watch: false,
    testNamePattern: `^(?:${patterns.join('|')})`,
    reporters: [['default', { summary: false }]],
  });
}

type Outcome = 'passed' | 'failed' | 'not run';

interface Summary {
  row: FaultRow;
  outcome: Outcome;
  times: string[];
  checked: string[];
  notes: string[];
  seconds: number;
}

function summarize(row: FaultRow, all: readonly TestCase[]): Summary {
  const summary: Summary = { row, outcome: 'passed', times: [], checked: [], notes: [], seconds: 0 };
  if (row.scenarios.length === 0) return { ...summary, outcome: 'not run', notes: ['not run: no scenario yet'] };
  const outcomes = row.scenarios.map((scenario) => addScenario(summary, scenario, all));
  if (outcomes.includes('not run')) summary.outcome = 'not run';
  if (outcomes.includes('failed')) summary.outcome = 'failed';
  return summary;
}

/** A scenario counts as not run if no test of it ran, or one was skipped. */
function addScenario(summary: Summary, { file, name, times }: Scenario, all: readonly TestCase[]): Outcome {
  const tests = all.filter((test) => test.module.relativeModuleId === `test/${file}` && test.fullName.startsWith(name));
  const reports = tests.flatMap((test) => test.meta().fault ?? []);
  const unrun = tests.filter((test) => !['passed', 'failed'].includes(test.result().state));
  const failed = tests.filter((test) => test.result().state === 'failed');
  summary.times.push(...(reports.length > 0 ? reports.map((one) => one.times) : [times]));
  summary.checked.push(...(reports.length > 0 ? reports.map((one) => one.checked) : [plural(tests.length, 'promise')]));
  summary.notes.push(...reports.flatMap(({ note }) => note ?? []));
  summary.notes.push(...failed.map((test) => `failed: ${test.name}`));
  summary.notes.push(...unrun.map((test) => `not run: ${noteOf(test)}`));
  if (tests.length === 0) summary.notes.push(`not run: ${file} has no test "${name}"`);
  summary.seconds += tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0) / 1000;
  if (failed.length > 0) return 'failed';
  return tests.length === 0 || unrun.length > 0 ? 'not run' : 'passed';
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' && result.note) || `"${test.name}" was not reached`;
}

function lostBy(outcome: Outcome): string {
  if (outcome === 'passed') return 'nothing';
  return outcome === 'failed' ? 'see the failure' : '?';
}

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function table(results: readonly Summary[]): string {
  const head = ['row', 'broken', 'how often', 'checked', 'lost', 'seconds', 'outcome', 'notes'];
  const lines = results.map(({ row, outcome, times, checked, notes, seconds }) => [
    row.id,
    row.fault,
    times.join(' · '),
    checked.join(' · '),
    lostBy(outcome),
    seconds.toFixed(1),
    outcome,
    notes.join(' · '),
  ]);
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
