import pg from 'pg';

export const textArray = 1009;

const parseAny: (array: string) => (string | null)[] = pg.types.getTypeParser(textArray as number, 'text');

/** What only a parser can tell apart: quotes, escapes, nulls, inner arrays and bounds. */
const isPlain = /^\{[^"\\{}[\]]*\}$/;

/** Parses an array of texts as PostgreSQL writes it. Plain words, such as scopes, need no parser: it costs six times as much. */
export function parseTextArray(array: string): (string | null)[] {
  if (!isPlain.test(array) || array.includes('NULL')) return parseAny(array);
  return array === '{}' ? [] : array.slice(1, -1).split(',');
}
