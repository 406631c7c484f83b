import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type GraphqlContext, withoutLeaving } from '../../schema/context.ts';
import { NativeValue } from '../../schema/native-value.ts';
import { maxAudioBytes } from '../../src/voice/voice.input.ts';
import { idempotencyKeyOf, runIdempotently, sendResponse } from '../idempotent.ts';
import type { Adapter } from '../routes/route.ts';
import { makeUploadFolder } from '../../src/core/http/temporary-uploads.ts';
import { receiveUpload } from './multipart-file.ts';

const rule = { field: 'audio', maxBytes: maxAudioBytes };

/**
 * Transcription: the recording is passed to the provider as it arrives. Under an `Idempotency-Key` it is received first,
 * because only all of it shows whether it is the recording that was transcribed under that key.
 */
export const transcriptionAdapter: Adapter = {
  upload: rule,
  handle: async (request, reply, { route, context, run }) => {
    const transcribe = (audio: AsyncIterable<Uint8Array>, ctx: GraphqlContext) =>
      run({ input: { audio: new NativeValue(audio) } }, ctx);
    const ctx = context(request, reply);
    const key = idempotencyKeyOf(route, request);
    if (key === null) {
      const body = await receiveUpload(ctx, request, rule, ({ content }) => transcribe(content, ctx));
      return sendResponse(reply, { status: route.status, body, replayed: false });
    }
    const folder = await makeUploadFolder();
    const path = join(folder, 'recording');
    try {
      const digest = await receiveUpload(ctx, request, rule, ({ content }) => save(content, path));
      const once = { route, request, context: ctx, body: { digest } };
      const answer = await runIdempotently(once, key, (inner) =>
        transcribe(createReadStream(path), withoutLeaving(inner)),
      );
      return await sendResponse(reply, answer);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Writes a recording to a file that only this process's user can read. Returns its SHA-256 in hex. */
async function save(content: AsyncIterable<Buffer>, path: string): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const bytes of content) {
      hash.update(bytes);
      yield bytes;
    }
  };
  await pipeline(hashed, createWriteStream(path, { mode: 0o600 }));
  return hash.digest('hex');
}
