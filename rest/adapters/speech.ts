import { Readable } from 'node:stream';
import type { GraphqlContext } from '../../schema/context.ts';
import { speakMessage } from '../../src/voice/message-speech.ts';
import { synthesizeSpeech } from '../../src/voice/speech.ts';
import { answerKeyed, storedUnder } from '../idempotent.ts';
import type { Adapter } from '../register.ts';
import { keepWhilePassing } from './kept-speech.ts';

/** A player that has enough reads no further for minutes; one that takes nothing for so long is gone. */
const stalledMs = 300_000;

/** POST /v1/voice/tts. */
export const textSpeechAdapter: Adapter = speechAdapter((ctx, { input }, signal) =>
  synthesizeSpeech(ctx, input, signal),
);

/** POST /v1/conversations/:conversation_id/messages/:message_id/speech. */
export const messageSpeechAdapter: Adapter = speechAdapter((ctx, { conversationId, messageId, input }, signal) =>
  speakMessage(ctx, conversationId as string, messageId as string, input, signal),
);

type Speak = (
  ctx: GraphqlContext,
  args: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>;

/**
 * Speech as `audio/mpeg`, sent as it is made. A failure before the first of it is an HTTP error; one after it breaks the
 * connection, so that nobody takes half of the speech for all of it. Under an `Idempotency-Key` it is made to its end
 * even if the client leaves, and kept for the next request, which then costs nothing.
 */
function speechAdapter(speak: Speak): Adapter {
  return (scope, { route, method, url, status, onRequest, parse, context }) => {
    scope.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const args = parse(request);
        const ctx = (await context(request, reply)) as GraphqlContext;
        reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
        reply.code(status).type('audio/mpeg');
        const key = storedUnder(route, request);
        if (key === null) return reply.send(asStream(await speak(ctx, args, ctx.leftSignal())));
        const first = await keepWhilePassing((pass) =>
          answerKeyed(route, request, key, ctx, async (inner) =>
            pass(asStream(await speak(inner, args, new AbortController().signal))),
          ),
        );
        if (first instanceof Readable) return reply.send(first);
        if (first.replayed) reply.header('idempotency-replayed', 'true');
        if (first.status === status) return reply.send(Buffer.from(first.body, 'base64'));
        return reply.code(first.status).type('application/json; charset=utf-8').send(first.body);
      },
    });
  };
}

const asStream = (audio: AsyncIterable<Uint8Array>): Readable =>
  audio instanceof Readable ? audio : Readable.from(audio, { objectMode: false });
