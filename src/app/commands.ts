import type { Logger } from 'pino';
import { createAgendaSchema } from '../../jobs/agenda-store.ts';
import type { Config } from '../core/config/config.ts';
import { readConfig } from './config.ts';
import { migrate } from '../core/database/migrate.ts';
import { createLogger } from '../core/process/log.ts';
import { StartError } from '../core/process/start-error.ts';
import { unlessAborted } from '../core/waiting/unless-aborted.ts';
import { setUpStripe } from '../providers/stripe/setup.ts';
import { startDatabase } from './database.ts';
import { partitionByOperator } from './partition.ts';
import { takeDownImageByOperator } from './take-down-image.ts';
import { prepareRestoredDatabase, requireNoInstance } from './prepare-restored.ts';

/** Rejects soon after `stopSignal` is aborted. */
type Command = (env: NodeJS.ProcessEnv, args: readonly string[], stopSignal: AbortSignal) => Promise<void>;

/**
 * Commands other than serving: `main.js migrate`, `main.js restored`, `main.js stripe-setup`, `main.js
 * take-down-image`, `main.js partition`.
 */
export const commands: Readonly<Record<string, Command | undefined>> = {
  migrate: (env, _args, stopSignal) =>
    onMigratedDatabase(env, stopSignal, {
      run: async (url, config) => {
        if (!config.mongodbUrl) await createAgendaSchema(url);
      },
    }),
  restored: async (env, args, stopSignal) => {
    const isForced = readForce(args);
    return onMigratedDatabase(env, stopSignal, {
      check: isForced ? undefined : requireNoInstance,
      run: async (url, _config, log) => {
        const held = await prepareRestoredDatabase(url);
        log.info(held, 'held back deliveries that were in progress at the time of the backup');
      },
    });
  },
  'stripe-setup': async (env, _args, stopSignal) =>
    void process.stdout.write(await unlessAborted(setUpStripe(env), stopSignal)),
  'take-down-image': takeDownImageByOperator,
  partition: (env, args, stopSignal) =>
    onMigratedDatabase(env, stopSignal, { run: (url) => partitionByOperator(url, args) }),
};

/** Returns whether `--force`, the only argument of `restored`, is given. */
function readForce(args: readonly string[]): boolean {
  if (args.some((arg) => arg !== '--force')) throw new StartError('Use: restored [--force]');
  return args.length > 0;
}

interface Work {
  /** Called before anything changes. */
  check?: ((url: string) => Promise<void>) | undefined;
  run: (url: string, config: Config, log: Logger) => Promise<void>;
}

async function onMigratedDatabase(
  env: NodeJS.ProcessEnv,
  stopSignal: AbortSignal,
  { check, run }: Work,
): Promise<void> {
  const config = readConfig(env);
  const log = createLogger(config.logLevel);
  const database = await startDatabase(config, log, stopSignal);
  try {
    const { directUrl } = database;
    const work = async (): Promise<void> => {
      await check?.(directUrl);
      await migrate(directUrl, log);
      await run(directUrl, config, log);
    };
    await unlessAborted(work(), stopSignal);
  } finally {
    await database.stop();
  }
}
