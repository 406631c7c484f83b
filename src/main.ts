import { requireNode24 } from './core/node-version.ts';

requireNode24();
// Only now: an older Node could not even load the rest.
const { boundHeapGrowth, holdYoungGeneration } = await import('./core/heap-growth.ts');
const { createAgendaSchema } = await import('../jobs/agenda-store.ts');
// Not before: by now it has grown to 4 MB, with which the rest is loaded in less time.
holdYoungGeneration();
const { createApp, startDatabase } = await import('./app.ts');
const { holdBackWhatWasSent } = await import('./app/after-restore.ts');
const { ConfigError, readConfig } = await import('./core/config.ts');
const { createLogger } = await import('./core/log.ts');
const { migrate } = await import('./core/migrate.ts');
const { setUpStripe } = await import('./providers/stripe/setup.ts');
const { StartError } = await import('./core/start-error.ts');
const { wantsTelemetry } = await import('./core/telemetry.ts');

const stopLimitMs = 40_000;

/** What a person can mend is said in a sentence; only a fault of ours shows where it happened. */
function fail(error: unknown): never {
  const known = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(`${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const telemetry = wantsTelemetry(process.env)
    ? (await import('./providers/opentelemetry/telemetry.ts')).startTelemetry(process.env)
    : undefined;
  const log = createLogger(config.logLevel, telemetry && (() => telemetry.logFields()));
  const app = await createApp(config, log, { telemetry });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    void app
      .close()
      .then(() => telemetry?.stop())
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  await app.server.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await app.close();
    const taken = `Port ${config.port} of ${config.host} is taken. Set PORT to a free one.`;
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new StartError(taken) : error;
  });
  boundHeapGrowth();
  log.info({ url: config.publicUrl, profile: config.profile, role: config.role }, 'ready');
}

async function migrateAlone(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const database = await startDatabase(config, log);
  try {
    await migrate(database.url, log);
    if (!config.mongodbUrl) await createAgendaSchema(database.url);
  } finally {
    await database.stop();
  }
}

async function holdBackAfterRestore(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const database = await startDatabase(config, log);
  try {
    await migrate(database.url, log);
    const held = await holdBackWhatWasSent(database.url);
    log.info({ ...held }, 'what was under way when the backup was made is not sent again');
  } finally {
    await database.stop();
  }
}

async function setUpProcessor(): Promise<void> {
  process.stdout.write(await setUpStripe(process.env));
}

const commands: Record<string, (() => Promise<void>) | undefined> = {
  migrate: migrateAlone,
  restored: holdBackAfterRestore,
  'stripe-setup': setUpProcessor,
};

const command = process.argv[2];
const run = command === undefined ? serve : commands[command];
// A slip in the name of one must not serve: with the rights of the schema's owner, say.
if (!run)
  fail(new StartError(`There is no command "${command}", only ${Object.keys(commands).join(', ')}; none serves.`));
await run().catch(fail);
