import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openLab } from './lab/lab.ts';
import { describeLoad, describeMachine, processorTimes, type RowResult, table, withRows } from './lab/report.ts';
import { sizeFor } from './lab/sizes.ts';
import type { BenchRow } from './row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    long: { type: 'boolean' },
    profile: { type: 'string' },
  },
});
const isQuick = values.quick ?? false;
const isLong = values.long ?? false;
const isReference = isLong || (values.write ?? false);
const run = { isQuick, isLong, isReference };
const lab = await openLab({
  ...run,
  rounds: sizeFor(run, { quick: 3, usual: 5, reference: 9, long: 12 }),
  // Multiples of three, so that each of three candidates is first, second and last equally often.
  slices: sizeFor(run, { quick: 3, usual: 9, reference: 24, long: 60 }),
  sliceMs: 400,
  profileDir: values.profile ?? null,
});
const before = processorTimes();
const machine = describeMachine();
const results: RowResult[] = [];
try {
  for (const row of await chosenRows(positionals)) results.push(await runRowAgainIfVoid(row));
} finally {
  await lab.close();
}
const after = processorTimes();
const steal = ((after.steal - before.steal) / (after.total - before.total)) * 100;
const described = `${machine} · at the end ${describeLoad()} · steal ${steal.toFixed(1)} %${isQuick ? ' · quick: no reference' : ''}`;
console.log(`${described}\n\n${table(results)}\n`);
if (values.write) await writeReference();
process.exitCode = results.some(isVoid) ? 1 : 0;

/** Writes the reference, or replaces only the chosen rows in it. */
async function writeReference(): Promise<void> {
  const path = join(import.meta.dirname, 'reference.md');
  const page =
    positionals.length === 0
      ? `# Reference\n\nWritten by \`npm run bench -- --write\`.\n\n${described}\n\n${table(results)}\n`
      : withRows(await readFile(path, 'utf8'), results, described);
  await writeFile(path, page);
}

/** Returns the rows of every file here, or the named ones, ordered by id. */
async function chosenRows(names: readonly string[]): Promise<BenchRow[]> {
  const notRows = ['run.ts', 'row.ts'];
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.ts') && !notRows.includes(file));
  const all: BenchRow[] = [];
  for (const file of files) {
    const { rows = [] } = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { rows?: BenchRow[] };
    all.push(...rows);
  }
  const known = all.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No row ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  const chosen = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all;
  return chosen.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Measures the row. In full, measures it once more if its control deviates: something else ran on the machine meanwhile. */
async function runRowAgainIfVoid(row: BenchRow): Promise<RowResult> {
  const tries = isReference ? 2 : 1;
  let result = await runRow(row);
  for (let tried = 1; tried < tries && isVoid(result); tried += 1) result = await runRow(row);
  return result;
}

function isVoid({ figures, failure }: RowResult): boolean {
  return failure !== undefined || figures.some((figure) => figure.void !== undefined);
}

async function runRow(row: BenchRow): Promise<RowResult> {
  process.stderr.write(`${row.name} ${row.title}\n`);
  const opened = lab.openRow();
  const startedAt = performance.now();
  try {
    const result = { row, figures: await row.measure(opened.bench) };
    process.stderr.write(`${table([result])}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
    return { row, figures: [], failure: (error as Error).message };
  } finally {
    await opened.close();
    process.stderr.write(`  took ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
  }
}
