import { convertToPartitions, dropBefore } from '../../src/core/database/partitions/convert.ts';
import { partitionedTables } from '../../src/conversations/partition-conversations.ts';

interface Options {
  say?: (line: string) => void;
  /** Whether to keep the original tables. */
  keepsBefore?: boolean;
}

/** Partitions the messages and generations of a database into four. */
export async function partition(
  url: string,
  { say = () => undefined, keepsBefore = true }: Options = {},
): Promise<void> {
  const conversion = { url, tables: partitionedTables, say };
  await convertToPartitions(conversion, 4);
  if (!keepsBefore) await dropBefore(conversion);
}

// Runs as a process of its own, for tests that kill it.
const [, script, url] = process.argv;
if (script === import.meta.filename && url)
  await partition(url, { say: (line) => void process.stdout.write(`${line}\n`) });
