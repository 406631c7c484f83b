import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { migrate } from '../../src/core/database/migrate.ts';
import { fill } from './fill.ts';
import { parts } from './parts.ts';
import type { SeedPart } from './part.ts';

const usage = `npm run seed -- [--check] [--only TEXT] [--remove] [${parts.map(({ name }) => `${name}=N`).join('] [')}]

Fills the database DATABASE_URL with the volumes that the bounds of test/seed/README.md are for; without counts, with all of
them. A seed that was interrupted continues. --check prints what each query takes against its bound; --only TEXT measures those whose name contains it.
--remove also deletes what is large, and prints how long that takes.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean' },
    only: { type: 'string' },
    remove: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const url = process.env['DATABASE_URL'];
if (values.help || !url) {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);

await migrate(url, pino({ level: 'error' }));
const isCheck = values.check === true || values.remove === true;
// Called even without parts, because it rebuilds the indexes that an interrupted fill dropped.
await fill(url, positionals.length > 0 || !isCheck ? wantedOf(positionals) : new Map(), say);
if (isCheck) {
  const { check } = await import('./check.ts');
  process.exitCode = (await check(url, { remove: values.remove ?? false, only: values.only ?? '' })) ? 0 : 1;
}

/** Parses counts such as `agents=1000`. @throws Error for an unknown part or an invalid number */
function wantedOf(given: readonly string[]): Map<SeedPart, number> {
  if (given.length === 0) return new Map(parts.map((part) => [part, part.volume]));
  return new Map(
    given.map((text) => {
      const [name, count = ''] = text.split('=');
      const part = parts.find((one) => one.name === name);
      if (!part || !/^\d+$/.test(count)) throw new Error(`"${text}" is not a part and its count.\n\n${usage}`);
      return [part, Number(count)];
    }),
  );
}
