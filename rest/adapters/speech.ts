import { Readable } from 'node:stream';
import type { GraphqlContext } from '../../schema/context.ts';
import { speakMessage } from '../../src/voice/message-speech.ts';
import { synthesizeSpeech } from '../../src/voice/speech.ts';
import type { Adapter } from '../register.ts';

/** A player that has enough reads no further for minutes; one that takes nothing for so long is gone. */
const stalledMs = 300_000;

/** POST /v1/voice/tts. */
export const textSpeechAdapter: Adapter = speechAdapter((ctx, { input }) =>
  synthesizeSpeech(ctx, input, ctx.leftSignal()),
);

/** POST /v1/conversations/:conversation_id/messages/:message_id/speech. */
export const messageSpeechAdapter: Adapter = speechAdapter((ctx, { conversationId, messageId, input }) =>
  speakMessage(ctx, conversationId as string, messageId as string, input, ctx.leftSignal()),
);

type Speak = (ctx: GraphqlContext, args: Record<string, unknown>) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Speech as `audio/mpeg`, sent as it is made. A failure before the first of it is an HTTP error; one after it breaks the
 * connection, so that nobody takes half of the speech for all of it.
 */
function speechAdapter(speak: Speak): Adapter {
  return (scope, { method, url, status, onRequest, parse, context }) => {
    scope.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const args = parse(request);
        const audio = await speak((await context(request, reply)) as GraphqlContext, args);
        reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
        const sound = audio instanceof Readable ? audio : Readable.from(audio, { objectMode: false });
        return reply.code(status).type('audio/mpeg').send(sound);
      },
    });
  };
}
