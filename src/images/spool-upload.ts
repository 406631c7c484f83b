import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { makeUploadFolder } from '../core/http/temporary-uploads.ts';
import { headBytes, imageFormatOf } from './encoding/image-format.ts';
import { maxImageBytes } from './encoding/image-limits.ts';

/**
 * Size of the write buffer in bytes. It is large, so that a file is written in few chunks, because each costs a thread
 * switch.
 */
const spoolBytes = 262_144;

/** A file on this machine until its image is encoded. */
export interface SpooledFile {
  path: string;
  /** SHA-256 of the content, in hex. */
  digest: string;
}

/**
 * Writes an upload to a temporary file while it arrives, runs `use` with the file, and removes it.
 * @throws AppError `payload_too_large`, `unsupported_media_type`, `invalid_request`, `unavailable`
 */
export async function spoolUpload<Result>(
  { ports }: Ctx,
  content: AsyncIterable<Buffer>,
  use: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  const folder = await makeUploadFolder();
  try {
    const path = join(folder, 'upload');
    const hash = createHash('sha256');
    let refusal: unknown;
    async function* checked(): AsyncGenerator<Buffer> {
      try {
        yield* check(content, { update: hash.update.bind(hash), onImage: () => ports.imageEncoder.prepare() });
      } catch (error) {
        refusal = error;
        throw error;
      }
    }
    await pipeline(
      Readable.from(checked(), { objectMode: false }),
      createWriteStream(path, { highWaterMark: spoolBytes }),
    ).catch((error: unknown) => {
      throw refusal instanceof Error ? refusal : new AppError('unavailable', { cause: error });
    });
    return await use({ path, digest: hash.digest('hex') });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Checks {
  update: (bytes: Buffer) => unknown;
  /** Called when the first bytes are those of an image. */
  onImage: () => void;
}

async function* check(content: AsyncIterable<Buffer>, { update, onImage }: Checks): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let isKnown = false;
  let sizeBytes = 0;
  for await (const bytes of content) {
    sizeBytes += bytes.length;
    if (sizeBytes > maxImageBytes) throw tooLarge();
    if (!isKnown) {
      head = Buffer.concat([head, bytes.subarray(0, headBytes)]);
      if (head.length >= headBytes) {
        if (imageFormatOf(head) === null) throw notAnImage();
        isKnown = true;
        onImage();
      }
    }
    update(bytes);
    yield bytes;
  }
  if (sizeBytes === 0) throw invalidField('file', 'empty', 'The file is empty.');
  if (!isKnown) throw notAnImage();
}

const tooLarge = (): AppError =>
  new AppError('payload_too_large', { message: 'An image can have at most 5 MB (5,242,880 bytes).' });

const notAnImage = (): AppError =>
  new AppError('unsupported_media_type', { message: 'The file must be a PNG, JPEG, WebP or GIF image.' });
