import { Readable } from 'node:stream';
import { type GraphqlContext, withoutLeaving } from '../../schema/context.ts';
import type { Ctx } from '../../src/core/ctx.ts';
import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import { FileMissing } from '../../src/core/files.ports.ts';
import { keepSpeech, openKeptSpeech } from '../../src/voice/kept-speech.ts';
import { forgetAnswer, idempotencyKeyOf, runIdempotently, sendResponse } from '../idempotent.ts';
import type { Adapter } from '../routes/route.ts';
import { keepWhilePassing, NotKept } from './kept-speech.ts';

/** A player with a full buffer may pause for minutes; a client that accepts nothing for longer is disconnected. */
const stallLimitMs = 300_000;

/** What the resolvers of speech return: the sound while it is made. */
interface Speech {
  sound: AsyncIterable<Uint8Array>;
}

/**
 * Speech as `audio/mpeg`, sent while it is generated. A failure before the first byte is an HTTP error; a later one breaks
 * the connection, so that partial speech is not mistaken for all of it. Under an `Idempotency-Key` it is generated to its
 * end even if the client leaves, and kept for the next request, which then costs nothing. An account's kept speech has a
 * byte budget: speech that was removed for newer speech is generated again.
 */
export const speechAdapter: Adapter = {
  produces: [{ name: 'audio/mpeg', isBinary: true }],
  handle: async (request, reply, { route, parse, context, invoke }) => {
    const speak = async (args: Record<string, unknown>, ctx: GraphqlContext): Promise<Readable> =>
      asStream(((await invoke(args, ctx)) as Speech).sound);
    const args = parse(request);
    const ctx = context(request, reply);
    disconnectWhenStalled(reply.raw, stallLimitMs);
    reply.code(route.status).type('audio/mpeg');
    const key = idempotencyKeyOf(route, request);
    if (key === null) return reply.send(await speak(args, ctx));
    const once = { route, request, context: ctx };
    const generate = () =>
      keepWhilePassing((pass) =>
        runIdempotently(once, key, async (inner) => store(inner, await pass(await speak(args, withoutLeaving(inner))))),
      );
    let first = await generate();
    if (!(first instanceof Readable) && first.status === route.status) {
      const kept = await findKept(ctx, first.body);
      if (kept) return reply.header('idempotency-replayed', 'true').send(kept);
      await forgetAnswer(once, key);
      first = await generate();
    }
    return first instanceof Readable ? reply.send(first) : sendResponse(reply, first);
  },
};

/** Keeps generated speech. The client has received it, so a failure only prevents its replay. */
async function store(ctx: Ctx, sound: Buffer): Promise<string> {
  try {
    return await keepSpeech(ctx, sound);
  } catch (error) {
    ctx.log.warn({ err: error }, 'speech was not kept for its Idempotency-Key');
    throw new NotKept({ cause: error });
  }
}

/** Returns kept speech, null when it was removed for newer speech. */
async function findKept(ctx: Ctx, key: string): Promise<Readable | null> {
  try {
    return await openKeptSpeech(ctx, key);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

const asStream = (audio: AsyncIterable<Uint8Array>): Readable =>
  audio instanceof Readable ? audio : Readable.from(audio, { objectMode: false });
