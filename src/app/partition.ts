import { parseArgs } from 'node:util';
import { partitionedTables } from '../conversations/partition-conversations.ts';
import { cancelConversion, convertToPartitions, dropBefore } from '../core/database/partitions/convert.ts';
import { StartError } from '../core/process/start-error.ts';

const usage = 'Use: partition [--partitions N] (2 to 256, default 16), partition --cancel, or partition --drop-before';
const defaultPartitions = '16';
const maxPartitions = 256;

/**
 * Runs `main.js partition` on a migrated database while other instances serve: partitions messages and generations by
 * account.
 * @throws StartError when it cannot run
 */
export async function partitionByOperator(url: string, args: readonly string[]): Promise<void> {
  const { partitions, cancel, dropBefore: isDrop } = readArguments(args);
  const conversion = {
    url,
    tables: partitionedTables,
    say: (line: string) => void process.stderr.write(`${line}\n`),
  };
  if (cancel) return cancelConversion(conversion);
  if (isDrop) return dropBefore(conversion);
  await convertToPartitions(conversion, partitions);
}

function readArguments(args: readonly string[]): { partitions: number; cancel: boolean; dropBefore: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        partitions: { type: 'string', default: defaultPartitions },
        cancel: { type: 'boolean', default: false },
        'drop-before': { type: 'boolean', default: false },
      },
    });
    const partitions = Number(values.partitions);
    if (!Number.isInteger(partitions) || partitions < 2 || partitions > maxPartitions) throw new StartError(usage);
    if (values.cancel && values['drop-before']) throw new StartError(usage);
    return { partitions, cancel: values.cancel, dropBefore: values['drop-before'] };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(usage, { cause: error });
  }
}
