import type { GraphqlContext } from '../../schema/context.ts';
import { transcribeAudio } from '../../src/voice/transcription.ts';
import { maxAudioBytes } from '../../src/voice/voice.input.ts';
import type { Adapter } from '../register.ts';
import { acceptUploads, receiveUpload } from './multipart-file.ts';

const rule = { field: 'audio', maxBytes: maxAudioBytes };

/** POST /v1/voice/stt: the recording goes on to the provider while it comes. */
export const transcriptionAdapter: Adapter = (scope, { method, url, status, onRequest, context }) => {
  void scope.register(async (uploads) => {
    await acceptUploads(uploads, rule);
    uploads.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const ctx = (await context(request, reply)) as GraphqlContext;
        const transcript = await receiveUpload(request, rule, ({ content }) =>
          transcribeAudio(ctx, content, ctx.leftSignal()),
        );
        return reply.code(status).send(transcript);
      },
    });
  });
};
