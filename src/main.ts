import { requireNode24 } from './core/process/node-version.ts';

requireNode24();
// Loaded after the check: an older Node cannot even link the rest.
const { exitCodeOf, handleStopSignals } = await import('./core/process/stop-signals.ts');
const stopSignal = handleStopSignals();
const stopLimitMs = 40_000;
// A part that hangs must not keep the process.
stopSignal.addEventListener('abort', () => setTimeout(() => process.exit(1), stopLimitMs).unref());
const { boundHeapGrowth, holdYoungGeneration } = await import('./core/process/heap-growth.ts');
// With a young generation of 4 MB the rest loads in less time.
holdYoungGeneration();
const { createApp } = await import('./app/app.ts');
const { commands } = await import('./app/commands.ts');
const { misspelledSettings, readConfig } = await import('./app/config.ts');
const { ConfigError } = await import('./core/config/read-settings.ts');
const { findConsole } = await import('./http/console/console.ts');
const { listenFault } = await import('./core/process/listen-fault.ts');
const { createLogger } = await import('./core/process/log.ts');
const { StartError } = await import('./core/process/start-error.ts');
const { startTelemetry } = await import('./app/telemetry.ts');

/** Connections that the kernel accepts for a busy process. Of more it drops the handshakes, and clients repeat them after 1, 3, 7 and 15 s. */
const backlog = 4_096;

/**
 * Prints a sentence for a fault that the operator can correct, and a stack for one of ours, unless a signal ended the
 * work.
 */
function fail(error: unknown): never {
  const known = error instanceof ConfigError || error instanceof StartError;
  if (stopSignal.aborted && !known) process.exit(run === serve ? 0 : exitCodeOf(stopSignal));
  process.stderr.write(`${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}

async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(env);
  const telemetry = await startTelemetry(env);
  const log = createLogger(config.logLevel, telemetry && (() => telemetry.logFields()));
  for (const hint of misspelledSettings(env)) log.warn(hint);
  stopSignal.addEventListener('abort', () => log.info({ signal: stopSignal.reason as string }, 'stopping'));
  const app = await createApp(config, log, { telemetry, consoleFolder: findConsole(), stopSignal });
  const stop = () =>
    void app
      .close()
      .then(() => telemetry?.stop())
      .then(() => process.exit(0));
  stopSignal.addEventListener('abort', stop);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  await app.server.listen({ host: config.host, port: config.port, backlog }).catch(async (error: unknown) => {
    await app.close();
    throw listenFault(error as NodeJS.ErrnoException, config);
  });
  boundHeapGrowth();
  log.info({ url: config.publicUrl, profile: config.profile, role: config.role }, 'ready');
}

const name = process.argv[2];
const run = name === undefined ? serve : commands[name];
// A mistyped command must not start the server.
if (!run) fail(new StartError(`There is no command "${name}", only ${Object.keys(commands).join(', ')}.`));
await run(process.env, process.argv.slice(3), stopSignal).catch(fail);
