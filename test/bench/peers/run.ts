import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { candidateKinds } from './candidates.ts';
import { breakThings, type Outcome } from './failures.ts';
import { type Figures, measure, startSubject } from './figures.ts';
import { installOwn, installPeer } from './install.ts';
import { openLab } from '../lab/lab.ts';
import { describeLoad, describeMachine, round } from '../lab/report.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, write: { type: 'boolean' } } });
const isQuick = values.quick ?? false;
const page = resolve(import.meta.dirname, '../../../docs/comparison.md');
const [begin, end] = ['<!-- bench:peers -->', '<!-- /bench:peers -->'];

const machine = describeMachine();
const installs = [];
for (const { folder } of candidateKinds)
  installs.push(folder === null ? await installOwn() : await installPeer(folder));
const lab = await openLab({
  isQuick,
  isLong: false,
  isReference: false,
  rounds: isQuick ? 2 : 3,
  slices: 0,
  sliceMs: 0,
  profileDir: null,
});
const row = lab.openRow();
try {
  const { bench } = row;
  const { url: providerUrl } = await bench.startFloor(join(import.meta.dirname, 'provider.ts'));
  const subjects = [];
  for (const { name, open } of candidateKinds)
    subjects.push(await startSubject(bench, name, await open(bench, providerUrl), isQuick ? 1 : 2));
  const figures = await measure(bench, subjects, providerUrl);
  for (const [at, { megabytes, packages }] of installs.entries())
    figures[at]?.set('installed, MB', megabytes).set('installed, packages', packages);
  bench.say('failures');
  const outcomes = await Promise.all(subjects.map((subject) => breakThings({ ...subject, providerUrl })));
  const report = await describe(figures, outcomes);
  console.log(report);
  if (values.write) await writeReport(report);
} finally {
  await row.close();
  await lab.close();
}

async function describe(figures: readonly Figures[], outcomes: readonly Outcome[][]): Promise<string> {
  const versions = await Promise.all(candidateKinds.map(({ folder }) => versionOf(folder)));
  const head = (title: string) => [
    line([title, ...candidateKinds.map(({ name }, i) => `${name} ${versions[i]}`.trim())]),
    line(['---', ...candidateKinds.map(() => '---:')]),
  ];
  const whats = new Set(figures.flatMap((found) => [...found.keys()]));
  const cells = (what: string) => figures.map((found) => (found.has(what) ? round(found.get(what) ?? 0) : '–'));
  const failures = outcomes[0]?.map(({ failure }) => failure) ?? [];
  return [
    `${machine} · at the end ${describeLoad()}${isQuick ? ' · quick: no reference' : ''}`,
    '',
    ...head('figure'),
    ...[...whats].map((what) => line([what, ...cells(what)])),
    '',
    ...head('failure'),
    ...failures.map((failure, i) => line([failure, ...outcomes.map((one) => one[i]?.outcome ?? '')])),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Returns the version of a peer's main package, as its package.json pins it. */
async function versionOf(folder: string | null): Promise<string> {
  if (folder === null) return '';
  const { dependencies } = JSON.parse(await readFile(join(import.meta.dirname, folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = ['@mastra/core', '@voltagent/core', '@langchain/langgraph-api'];
  return dependencies[names.find((name) => name in dependencies) ?? ''] ?? '';
}

async function writeReport(report: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < 0) throw new Error(`${page} has no place for the report`);
  await writeFile(page, `${text.slice(0, before + begin.length)}\n\n${report}\n\n${text.slice(after)}`);
}
