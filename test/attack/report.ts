import { readFile, writeFile } from 'node:fs/promises';
import type { TestCase, TestModule } from 'vitest/node';
import type { AttackRow } from './rows/attack-row.ts';
import { attackRows } from './rows.ts';
import type { Tried } from './lab/attack.ts';

/** The result of one row. */
export interface Verdict {
  row: AttackRow;
  /** `partly`: one part was tried and held, another could not be tried. */
  verdict: 'held' | 'FOUND' | 'partly' | 'not run';
  /** What was tried, one phrase each. */
  tried: string[];
  times: number;
  /** Findings, and why something was not run. */
  notes: string[];
}

interface Scenario {
  state: string;
  tried: Tried;
  findings: string[];
}

/** Returns a verdict on every row. A row that did not run never counts as held. */
export function judge(modules: readonly TestModule[]): Verdict[] {
  const cases = modules.flatMap((module) => [...module.children.allTests()]);
  const scenarios = cases.flatMap(scenarioOf);
  return attackRows.map((row) => {
    const own = [
      ...scenarios.filter(({ tried }) => tried.rows.includes(row.id)),
      ...(row.suite ?? []).map((one) => suiteScenario(one, cases, row.id)),
    ];
    return verdictOn(row, own);
  });
}

function verdictOn(row: AttackRow, own: readonly Scenario[]): Verdict {
  const ran = own.filter(({ state }) => state === 'passed');
  const failed = own.filter(({ state }) => state === 'failed');
  const notRun = own.filter(({ state }) => state !== 'passed' && state !== 'failed');
  let verdict: Verdict['verdict'] = notRun.length > 0 ? 'partly' : 'held';
  if (ran.length === 0) verdict = 'not run';
  if (failed.length > 0) verdict = 'FOUND';
  const notes = [
    ...failed.flatMap(({ findings }) => findings),
    ...notRun.map(({ tried }) => `${tried.what}: not run: ${tried.notRun ?? 'no part of it ran'}`),
    ...ran.flatMap(({ tried }) => tried.note ?? []),
  ];
  return {
    row,
    verdict,
    tried: [...ran, ...failed].map(({ tried }) => tried.what),
    times: [...ran, ...failed].reduce((sum, { tried }) => sum + tried.times, 0),
    notes: own.length === 0 ? ['not run: there is no scenario'] : notes,
  };
}

function scenarioOf(test: TestCase): Scenario[] {
  const { attack: tried } = test.meta();
  if (!tried) return [];
  return [{ state: test.result().state, tried, findings: findingsOf(test) }];
}

/** Tests of the default suite count as one try each, although most make many. */
function suiteScenario(reference: string, cases: readonly TestCase[], id: string): Scenario {
  const [file = '', part = ''] = reference.split(' > ');
  const matching = cases.filter(
    ({ module, fullName }) => module.moduleId.endsWith(`/${file}`) && fullName.includes(part),
  );
  const ran = matching.filter((test) => ['passed', 'failed'].includes(test.result().state));
  const isFailed = ran.some((test) => test.result().state === 'failed');
  const unfailed = ran.length > 0 ? 'passed' : 'skipped';
  return {
    state: isFailed ? 'failed' : unfailed,
    tried: { rows: [id], what: `${file}${part ? `: “${part}”` : ''}`, times: ran.length },
    findings: ran.flatMap(findingsOf),
  };
}

const findingsOf = (test: TestCase): string[] =>
  (test.result().errors ?? []).map(({ message, diff }) => `${message} ${diff ?? ''}`.replaceAll(/\u001b\[\d+m/g, ''));

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

/** Returns the table of a run, one line for each row. */
export function table(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ row, verdict, tried, times, notes }) =>
    [row.id, cell(tried.join('; ')), times, verdict, cell(notes.join(' · ')).slice(0, 400)].join(' | '),
  );
  return [
    '| row | what was tried | times | verdict | notes |',
    '| --- | --- | ---: | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}

export function summaryOf(verdicts: readonly Verdict[]): string {
  const count = (wanted: Verdict['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted).length;
  const times = verdicts.reduce((sum, one) => sum + one.times, 0);
  return `${verdicts.length} rows, ${times} tries: ${count('held')} held, ${count('FOUND')} with findings, ${count('partly')} run in part, ${count('not run')} not run.`;
}

/** Returns a line for each row: the expected response, where the interface differs, and how it is tried. */
export const rowLines = (verdicts: readonly Verdict[]): string =>
  [
    '| row | attack | expected | where the interface differs | how it is tried |',
    '| --- | --- | --- | --- | --- |',
    ...verdicts.map(
      ({ row, tried }) =>
        `| ${[row.id, row.attack, row.expected, row.decided ?? '', tried.join('; ')].map(cell).join(' | ')} |`,
    ),
  ].join('\n');

/** Replaces the table of the guide, between its two markers. */
export async function writeGuide(file: string, lines: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [head, rest = ''] = text.split('<!-- rows -->\n');
  const tail = rest.split('<!-- end of rows -->')[1] ?? '\n';
  await writeFile(file, `${head}<!-- rows -->\n${lines}\n<!-- end of rows -->${tail}`);
}
