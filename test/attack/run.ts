import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { attackRows } from './rows.ts';
import { judge, rowLines, summaryOf, table, writeGuide } from './report.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const known = attackRows.map(({ id }) => id);
const unknown = positionals.filter((id) => !known.includes(id));
if (unknown.length > 0) throw new Error(`No row ${unknown.join(', ')}; there are ${known.join(', ')}.`);
const chosen = positionals.length > 0 ? positionals : known;

// Named rows run alone, with only their files and the files of the default suite on which they rely.
const suite = positionals.flatMap((id) => attackRows.find((row) => row.id === id)?.suite ?? []);
const named = new RegExp(`attack\\(\\s*'[^']*\\b(?:${positionals.join('|')})\\b`);
const here = import.meta.dirname;
const attackFiles = (await readdir(here)).filter((name) => name.endsWith('.attack.ts'));
const isNamed = await Promise.all(
  attackFiles.map(async (name) => named.test(await readFile(join(here, name), 'utf8'))),
);
if (positionals.length > 0) process.env['ATTACK_ROWS'] = chosen.join(' ');

const startedAt = performance.now();
const ofRows = [...attackFiles.filter((_, i) => isNamed[i]), ...suite.map((one) => one.split(' > ')[0] ?? '')];
const files = positionals.length > 0 ? ofRows : [];
const vitest = await startVitest(files, {
  config: join(import.meta.dirname, 'vitest.config.ts'),
  root: join(import.meta.dirname, '../..'),
  run: true,
  watch: false,
});
const modules = vitest.state.getTestModules();
const verdicts = judge(modules).filter(({ row }) => chosen.includes(row.id));
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
const broken = modules.flatMap((module) => module.errors().map(({ message }) => `${module.moduleId}: ${message}`));
const strayErrors = vitest.state.getUnhandledErrors().map(String);
await vitest.close();

const report = `${table(verdicts)}\n\n${summaryOf(verdicts)} ${minutes} minutes.\n`;
console.log(`\n${report}`);
for (const line of [...broken, ...strayErrors]) console.log(`broken: ${line}`);
if (values.write) {
  const head = '# Reference\n\nWritten by `npm run attack -- --write`.\n\n';
  await writeFile(join(import.meta.dirname, 'reference.md'), `${head}${report}`);
  await writeGuide(join(import.meta.dirname, 'README.md'), rowLines(verdicts));
}
const isFound = verdicts.some(({ verdict }) => verdict === 'FOUND');
process.exitCode = isFound || broken.length > 0 || strayErrors.length > 0 ? 1 : 0;
