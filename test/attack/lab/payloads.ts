import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a corpus of `payloads/`. Not imported: bundlers refuse the lone surrogates in it. */
export const payloadsOf = (name: string): string[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../payloads', `${name}.json`), 'utf8')) as string[];
