import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { watchCredential } from '../../src/api-keys/watch-credential.ts';
import { isRead } from '../../src/core/http/backpressure.ts';
import type { ChannelEvent } from '../../src/realtime/channel.ts';
import { loggedErrorResponse } from '../errors.ts';
import type { Adapter, AdapterRoute } from '../routes/route.ts';
import { sse, streamHeaders } from './event-stream.ts';

const heartbeatMs = 15_000;

/** The events of a channel as Server-Sent Events, with their offsets as ids. */
export const channelStreamAdapter: Adapter = {
  produces: [{ name: 'text/event-stream' }],
  handle: async (request, reply, route) => {
    await send(request, reply, route);
    return reply;
  },
};

type Events = AsyncIterator<ChannelEvent, void, void>;

/** A failure before the first event is an HTTP error. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { parse, context, invoke }: AdapterRoute,
): Promise<void> {
  const ctx = context(request, reply);
  const events = (await invoke(parse(request), ctx)) as Events;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...streamHeaders } as Record<string, string | number>);
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs);
  const stopWatching = watchCredential(ctx, ({ code, message }) => raw.end(sse('error', { code, message })));
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (raw.destroyed || raw.writableEnded) break;
      const { type, data, offset } = next.value;
      const left = raw.write(sse(type, data, offset ?? undefined)) ? null : once(raw, 'drain');
      if (left && !(await isRead(raw, left))) break;
    }
  } catch (error) {
    const { code, message } = loggedErrorResponse(error, request).body.error;
    if (!raw.destroyed && !raw.writableEnded) raw.write(sse('error', { code, message }));
  } finally {
    clearInterval(heartbeat);
    stopWatching();
    raw.end();
    void events.return?.();
  }
}
