import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A corpus of `payloads/`. Read here, because a bundler refuses the broken surrogates that are part of it. */
export const payloadsOf = (name: string): string[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../payloads', `${name}.json`), 'utf8')) as string[];
