import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { migrate } from '../../src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import { fill } from '../seed/fill.ts';
import { measureScale } from './measure.ts';
import { volumesOf } from './parts.ts';
import { tablesOf, withTables } from './report.ts';

const usage = `npm run scale -- [--messages N] [--accounts N] [--folder DIR] [--write]

Fills a database with accounts and messages, and measures reads and batches. What was filled stays in the folder, so a run
that was interrupted continues, and a larger number adds to what is there. With DATABASE_URL it uses that database instead.
--write puts the tables into docs/scaling.md.`;

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '400000' },
    accounts: { type: 'string', default: '50000' },
    folder: { type: 'string', default: join(root, '.data/scale') },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const size = { messages: Number(values.messages), accounts: Number(values.accounts) };
if (values.help || !Object.values(size).every((count) => Number.isInteger(count) && count >= 1_000)) {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}
const log = pino({ level: 'error' });
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const server = await startServer();
try {
  await migrate(server.url, log);
  await fill(server.url, volumesOf(size), say);
  const results = await measureScale(server.url, size);
  process.stdout.write(`${tablesOf(results).join('\n')}\n`);
  const page = join(root, 'docs/scaling.md');
  if (values.write) await writeFile(page, withTables(await readFile(page, 'utf8'), results));
} finally {
  await server.stop();
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env['DATABASE_URL'];
  if (url) return { url, stop: async () => undefined };
  await mkdir(values.folder, { recursive: true });
  const settings = { shared_buffers: '1GB', max_wal_size: '8GB', maintenance_work_mem: '256MB', work_mem: '16MB' };
  return startEmbeddedPostgres({ dataDir: values.folder, log, settings });
}
