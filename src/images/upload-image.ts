import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction, onCommitted } from '../core/database/transaction.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { newId, newUuid } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { type FallbackTask, holdFallbackTask, cleanUpNow } from '../core/tasks/fallback-task.ts';
import { lockTarget, requireApplyScope, showImage } from './apply-image.ts';
import { type EncodedImage, ImageFailure, type ImageFailureCode } from './encoding/encoder.ports.ts';
import { maxPixels, minEdge } from './encoding/image-limits.ts';
import type { ImageKind } from './encoding/variants.ts';
import { getOwnAgent } from './generate-images.ts';
import type { Image } from './image.entity.ts';
import { uploadImageInput } from './image.input.ts';
import { keepUnusedMs } from './image.ts';
import { removeImageFiles, sizeOfFiles, storeImageFiles } from './image-files.ts';
import { enforceKeptLimit } from './image-quota.ts';
import { insertImage, newImageToken } from './insert-image.ts';
import { type SpooledFile, spoolUpload } from './spool-upload.ts';

/** Stored files that are not an image yet. */
export interface ReceivedImage {
  id: string;
  folder: string;
  placeholder: string;
  sizeBytes: number;
  /** Removes the files if this process dies before they become an image. */
  removal: FallbackTask;
}

/**
 * Uploads an image: runs `spoolUpload`, `receiveImage` and `addImage`. A rejected upload leaves nothing.
 * @throws AppError what these throw
 */
export const uploadImage = (ctx: Ctx, content: AsyncIterable<Buffer>, input: unknown): Promise<Image> =>
  spoolUpload(ctx, content, async (file) => {
    const received = await receiveImage(ctx, file, input);
    try {
      return await addImage(ctx, received, input);
    } catch (error) {
      await discardReceived(ctx, received);
      throw error;
    }
  });

/**
 * Encodes an uploaded file and stores the result. Call it outside a transaction.
 * @throws AppError `invalid_request`, `not_found`, `insufficient_scope`, `forbidden` for a restricted account,
 * `unavailable`
 */
export async function receiveImage(ctx: Ctx, file: SpooledFile, input: unknown): Promise<ReceivedImage> {
  const { kind, agentId, apply } = parseInput(uploadImageInput, input);
  if (apply) requireApplyScope(ctx, { agentId: agentId ?? null });
  await requireUnrestricted(ctx);
  if (agentId) await getOwnAgent(ctx, agentId);
  const encoded = await encode(ctx, file.path, kind);
  const image = { id: newId('img_'), folder: newUuid() };
  const removal = await holdFallbackTask(ctx, 'image.abandon', image.id, { imageId: image.id });
  const received = { ...image, placeholder: encoded.placeholder, sizeBytes: sizeOfFiles(encoded), removal };
  try {
    await storeImageFiles(ctx, image, encoded);
    return received;
  } catch (error) {
    await discardReceived(ctx, received);
    throw new AppError('unavailable', { cause: error });
  }
}

async function encode(ctx: Ctx, path: string, kind: ImageKind): Promise<EncodedImage> {
  try {
    return await ctx.ports.imageEncoder.encode({ read: async () => path, kind, isGenerated: false, minEdge });
  } catch (error) {
    if (error instanceof ImageFailure) throw invalidField('file', error.code, failureMessages[error.code]);
    throw error;
  }
}

const failureMessages: Readonly<Record<ImageFailureCode, string>> = {
  unreadable: 'The image is damaged or cannot be read.',
  too_small: `The image must be at least ${minEdge} pixels wide and high.`,
  too_large: `The image can have at most ${maxPixels / 1_000_000} megapixels.`,
};

/**
 * Creates an image from received files. It is not charged to the daily quota, but counts towards the limit of kept
 * images.
 * @throws AppError `invalid_request`, `not_found`, `plan_limit_exceeded`, `unavailable` when the files were removed in
 * the meantime
 */
export async function addImage(ctx: Ctx, received: ReceivedImage, input: unknown): Promise<Image> {
  const { kind, agentId = null, apply } = parseInput(uploadImageInput, input);
  const { id, folder, placeholder, sizeBytes, removal } = received;
  return inTransaction(ctx, async (tx) => {
    await enforceKeptLimit(tx, 1, sizeBytes);
    if (agentId !== null) await getOwnAgent(tx, agentId);
    if (apply) await lockTarget(tx, kind, { agentId });
    if (!(await removal.withdraw(tx))) throw new AppError('unavailable');
    onCommitted(tx, () => removal.release());
    const now = tx.clock.now();
    const image: Image = {
      id,
      ownerId: callerId(tx),
      agentId,
      kind,
      source: 'uploaded',
      status: 'ready',
      prompt: null,
      style: null,
      fullPrompt: null,
      token: newImageToken(),
      folder,
      placeholder,
      sizeBytes,
      errorCode: null,
      errorMessage: null,
      applyTo: null,
      applyOver: null,
      quotaDay: null,
      startedAt: null,
      createdAt: now,
      moderationState: 'ok',
      expiresAt: apply ? null : new Date(now.getTime() + keepUnusedMs),
    };
    await insertImage(tx, image);
    if (apply) await showImage(tx, image, { agentId });
    return image;
  });
}

/** Removes received files that did not become an image. If this fails, their task removes them. */
export const discardReceived = (ctx: Ctx, { id, removal }: Pick<ReceivedImage, 'id' | 'removal'>): Promise<boolean> =>
  cleanUpNow(ctx, removal, () => abandonImage(ctx, id));

const findImage = { name: 'image_exists', text: `select 1 as found from images where id = $1` };

/** Removes the files of an upload, unless it has become an image. */
export async function abandonImage(ctx: Ctx, imageId: string): Promise<void> {
  const [image] = await ctx.sql(findImage, [imageId]);
  if (!image) await removeImageFiles(ctx, imageId);
}
