import { AppError } from '../core/errors.ts';
import { createLogger } from '../core/process/log.ts';
import { StartError } from '../core/process/start-error.ts';
import { unlessAborted } from '../core/waiting/unless-aborted.ts';
import { takeDownImage } from '../images/take-down.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const usage = 'Name the image by its address or id, and the reason: take-down-image ADDRESS "REASON"';

/** Runs `main.js take-down-image ADDRESS REASON` while other instances serve. */
export async function takeDownImageByOperator(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  stopSignal: AbortSignal,
): Promise<void> {
  const [image, statement, ...others] = args;
  if (!image || !statement || others.length > 0) throw new StartError(usage);
  const config = readConfig({ ...env, ROLE: 'web', DRAIN_SECONDS: '0' });
  const log = createLogger(config.logLevel);
  const app = await createApp(config, log, { stopSignal });
  try {
    const taken = await unlessAborted(takeDownImage(app.newCtx({ kind: 'system' }), { image, statement }), stopSignal);
    log.info(taken, 'the image was taken down');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new StartError(error.code === 'not_found' ? `There is no image ${image}.` : error.message, { cause: error });
  } finally {
    await app.close();
  }
}
