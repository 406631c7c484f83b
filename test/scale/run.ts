import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { migrate } from '../../src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import { fill } from '../seed/fill.ts';
import { measurePartitions, measureScale } from './measure.ts';
import { volumesOf } from './parts.ts';
import { partitionTable, tablesOf, withPartitionTable, withTables } from './report.ts';

const usage = `npm run scale -- [--messages N] [--accounts N] [--of-one N] [--words N] [--partitions N] [--folder DIR] [--write]

Fills a database with accounts and messages, and measures reads and batches. What was filled stays in the folder, so a run
that was interrupted continues, and a larger number adds to what is there. With DATABASE_URL it uses that database instead.
--of-one sets how many messages one account has (default: half), --words the longest message. --partitions divides messages and
generations into so many partitions, and measures that and the reads before and after it, instead of the batches. --write puts the
tables into docs/scaling.md.`;

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '400000' },
    accounts: { type: 'string', default: '50000' },
    'of-one': { type: 'string' },
    words: { type: 'string' },
    partitions: { type: 'string' },
    folder: { type: 'string', default: join(root, '.data/scale') },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const size = {
  messages: Number(values.messages),
  accounts: Number(values.accounts),
  ...(values['of-one'] && { ofOne: Number(values['of-one']) }),
};
if (values.help || !Object.values(size).every((count) => Number.isInteger(count) && count >= 1_000)) {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}
const log = pino({ level: 'error' });
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const server = await startServer();
try {
  await migrate(server.url, log);
  await fill(server.url, volumesOf(size), say, {
    writers: availableParallelism(),
    ...(values.words && { maxWords: Number(values.words) }),
  });
  const [table, written] = await (values.partitions ? measureConversion(Number(values.partitions)) : measureAll());
  process.stdout.write(`${table.join('\n')}\n`);
  const page = join(root, 'docs/scaling.md');
  if (values.write) await writeFile(page, written(await readFile(page, 'utf8')));
} finally {
  await server.stop();
}

type Measured = [table: string[], written: (page: string) => string];

async function measureAll(): Promise<Measured> {
  const results = await measureScale(server.url, size);
  return [tablesOf(results), (page) => withTables(page, results)];
}

async function measureConversion(partitions: number): Promise<Measured> {
  const results = await measurePartitions(server.url, size, partitions, say);
  return [partitionTable(results), (page) => withPartitionTable(page, results)];
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env['DATABASE_URL'];
  if (url) return { url, stop: async () => undefined };
  await mkdir(values.folder, { recursive: true });
  const settings = { shared_buffers: '1GB', max_wal_size: '8GB', maintenance_work_mem: '1GB', work_mem: '16MB' };
  return startEmbeddedPostgres({ dataDir: values.folder, log, settings });
}
