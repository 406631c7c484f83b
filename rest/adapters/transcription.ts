import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { GraphqlContext } from '../../schema/context.ts';
import { transcribeAudio } from '../../src/voice/transcription.ts';
import { maxAudioBytes } from '../../src/voice/voice.input.ts';
import { answerKeyed, storedUnder } from '../idempotent.ts';
import type { Adapter } from '../register.ts';
import { acceptUploads, receiveUpload } from './multipart-file.ts';

const rule = { field: 'audio', maxBytes: maxAudioBytes };

/**
 * POST /v1/voice/stt: the recording goes on to the provider while it comes. Under an `Idempotency-Key` it has to be there
 * first, because only all of it tells whether it is the one that was read under that key.
 */
export const transcriptionAdapter: Adapter = (scope, { route, method, url, status, onRequest, context }) => {
  void scope.register(async (uploads) => {
    await acceptUploads(uploads, rule);
    uploads.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const ctx = (await context(request, reply)) as GraphqlContext;
        const key = storedUnder(route, request);
        if (key === null) {
          const transcript = await receiveUpload(request, rule, ({ content }) =>
            transcribeAudio(ctx, content, ctx.leftSignal()),
          );
          return reply.code(status).send(transcript);
        }
        const path = join(tmpdir(), `recording-${randomUUID()}`);
        try {
          const digest = await receiveUpload(request, rule, ({ content }) => hold(content, path));
          const answer = await answerKeyed(
            route,
            request,
            key,
            ctx,
            async (inner) =>
              JSON.stringify(await transcribeAudio(inner, createReadStream(path), new AbortController().signal)),
            { digest },
          );
          if (answer.replayed) reply.header('idempotency-replayed', 'true');
          return await reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
        } finally {
          await rm(path, { force: true });
        }
      },
    });
  });
};

/** Writes a recording to a file that nobody else may read. Answers its SHA-256 in hex. */
async function hold(content: AsyncIterable<Buffer>, path: string): Promise<string> {
  const hash = createHash('sha256');
  const seen = async function* () {
    for await (const bytes of content) {
      hash.update(bytes);
      yield bytes;
    }
  };
  await pipeline(seen, createWriteStream(path, { mode: 0o600 }));
  return hash.digest('hex');
}
