import { createHmac } from 'node:crypto';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { newUuid } from '../core/ids.ts';
import { publish } from '../core/outbox.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';
import { lockTarget, showImage } from './apply-image.ts';
import { isRestricted } from '../moderation/restrictions.ts';
import { asOwner } from './as-owner.ts';
import { type EncodedImage, ImageFailure } from './encoding/encoder.ports.ts';
import { largestSize } from './encoding/variants.ts';
import type { Image } from './image.entity.ts';
import { imageEventData } from './image.events.ts';
import { ImageRefused } from './image.ports.ts';
import { imageColumns, keepUnusedMs } from './image.ts';
import { removeAttempt, sizeOfFiles, storeImageFiles } from './image-files.ts';
import { refundFailedImage, refundImage } from './image-quota.ts';
import { startWaiting } from './start-waiting.ts';

const find = {
  name: 'image_to_make',
  text: `select ${imageColumns} from images i where i.id = $1 and i.status = 'processing'`,
};
const setReady = {
  name: 'image_ready',
  text: `
    update images i set status = 'ready', folder = $2, placeholder = $3, expires_at = $4, size_bytes = $5
    where i.id = $1 and i.status = 'processing' returning ${imageColumns}`,
};
const setFailed = {
  name: 'image_failed',
  text: `
    update images i set status = 'failed', error_code = $2, error_message = $3, expires_at = $4
    where i.id = $1 and i.status = 'processing' returning ${imageColumns}`,
};

type Run = Pick<TaskRun, 'signal' | 'complete'>;

/**
 * Generates one accepted image. The outcome, its event and the end of the task are one commit that the task's lease
 * protects. A worker that is late, or repeats a finished task, changes nothing and removes the files that it has
 * stored.
 */
export async function makeImage(ctx: Ctx, imageId: string, run: Run): Promise<void> {
  const [image] = await ctx.sql<Image>(find, [imageId]);
  if (!image) return;
  try {
    const original = await draw(ctx, image, run.signal);
    const encoded = await ctx.ports.imageEncoder.encode({
      read: async () => original,
      kind: image.kind,
      isGenerated: true,
    });
    await requireAllowedPicture(ctx, encoded, run.signal);
    await finish(ctx, image, encoded, original, run);
  } catch (error) {
    const failure = run.signal.aborted ? null : failureOf(error);
    if (!failure) throw error;
    ctx.log.error(
      { err: error, imageId, model: ctx.config.images.model, code: failure.code },
      'could not make an image',
    );
    await failImage(ctx, imageId, failure, run);
  }
}

const draw = (ctx: Ctx, { kind, fullPrompt, ownerId }: Image, signal: AbortSignal): Promise<Buffer> =>
  ctx.ports.imageGenerator.generate({
    prompt: fullPrompt ?? '',
    ...largestSize[kind],
    safetyIdentifier: safetyIdentifier(ctx, ownerId),
    signal,
  });

/** Returns an identifier that is stable for a user and reveals nothing about them. */
const safetyIdentifier = ({ config }: Ctx, userId: string): string =>
  createHmac('sha256', config.authKeys.at(-1)?.secret ?? '')
    .update(`images ${userId}`)
    .digest('hex');

async function requireAllowedPicture(ctx: Ctx, { variants }: EncodedImage, signal: AbortSignal): Promise<void> {
  const image = variants.medium;
  if (!image) return;
  const { flagged } = await ctx.ports.contentCheck.check({ image, mediaType: 'image/webp' }, signal);
  if (flagged) throw new ImageRefused('the picture was flagged');
}

async function finish(ctx: Ctx, image: Image, encoded: EncodedImage, original: Buffer, run: Run): Promise<void> {
  const attempt = { id: image.id, folder: newUuid() };
  let isUsed = false;
  try {
    await storeImageFiles(ctx, attempt, encoded, original);
    isUsed = await inTransaction(ctx, async (tx) => {
      await run.complete(tx);
      const plan = await lockPlan(tx, image.ownerId);
      const expiresAt = new Date(tx.clock.now().getTime() + keepUnusedMs);
      const [ready] = await tx.sql<Image>(setReady, [
        image.id,
        attempt.folder,
        encoded.placeholder,
        expiresAt,
        sizeOfFiles(encoded, original),
      ]);
      await startWaiting(tx, image.ownerId);
      if (!ready) return false;
      const isShown = ready.applyTo !== null && (await applyIfUnchanged(asOwner(tx, image.ownerId, plan), ready));
      const shown = isShown ? Object.assign(ready, { expiresAt: null }) : ready;
      await publish(tx, image.ownerId, 'image.ready', imageEventData(tx.config, shown));
      return true;
    });
  } finally {
    if (!isUsed)
      await removeAttempt(ctx, attempt).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'could not remove the files of a failed attempt'),
      );
  }
}

/**
 * Shows the image where it was requested for, unless something else is shown there by now. Returns whether it is shown.
 */
async function applyIfUnchanged(tx: Ctx, image: Image): Promise<boolean> {
  const target = { agentId: image.applyTo === 'agent' ? (image.agentId ?? null) : null };
  if (image.applyTo === 'agent' && target.agentId === null) return false;
  if (await isRestricted(tx, image.ownerId)) return false;
  const shown = await lockTarget(tx, image.kind, target).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (shown === undefined || shown !== (image.applyOver ?? null)) return false;
  await showImage(tx, image, target);
  return true;
}

interface Failure {
  code: 'content_refused' | 'upstream_error' | 'upstream_timeout';
  message: string;
}

const upstreamError: Failure = {
  code: 'upstream_error',
  message: 'The image provider failed. Try again in a few minutes.',
};

/**
 * Returns the failure that the owner sees, if another attempt would not change the outcome; null for a fault of the
 * service.
 */
function failureOf(error: unknown): Failure | null {
  if (error instanceof ImageRefused)
    return {
      code: 'content_refused',
      message: 'The provider refuses to generate this image. Describe something else.',
    };
  if (error instanceof ImageFailure) return upstreamError;
  if (!(error instanceof AppError)) return null;
  if (error.code === 'upstream_timeout')
    return { code: 'upstream_timeout', message: 'The image provider took too long. Try again in a few minutes.' };
  return upstreamError;
}

/** Marks an image as failed after all attempts, none of which the service finished. */
export const markImageFailed = (ctx: Ctx, imageId: string): Promise<void> =>
  failImage(ctx, imageId, upstreamError, null);

async function failImage(ctx: Ctx, imageId: string, { code, message }: Failure, run: Run | null): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await run?.complete(tx);
    const [image] = await tx.sql<Image>(find, [imageId]);
    if (!image) return;
    const plan = await lockPlan(tx, image.ownerId);
    const expiresAt = new Date(tx.clock.now().getTime() + keepUnusedMs);
    const [failed] = await tx.sql<Image>(setFailed, [imageId, code, message, expiresAt]);
    if (!failed) return;
    await (run ? refundFailedImage(tx, plan, failed) : refundImage(tx, failed));
    await publish(tx, failed.ownerId, 'image.failed', imageEventData(tx.config, failed));
    await startWaiting(tx, failed.ownerId);
  });
}
