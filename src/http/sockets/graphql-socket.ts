import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { GraphqlConnection } from '../../../schema/socket.ts';
import type { Server } from 'graphql-ws';
import type { UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { createFrameRate } from '../../realtime/socket/frame-rate.ts';
import { holdCredential, type HeldCredential } from '../../realtime/socket/held-credential.ts';
import type { OpenSockets } from '../../realtime/socket/open-sockets.ts';
import { closeCodes, connectLimitMs, type Wire } from '../../realtime/socket/wire.ts';

interface GraphqlSocketOptions {
  server: Server<GraphqlConnection>;
  wire: Wire;
  /** Negotiated WebSocket subprotocol. */
  protocol: string;
  network: string;
  sockets: OpenSockets;
  authenticate: (token: string) => Promise<UserActor | null>;
  admit: (actor: UserActor) => Promise<void>;
  newCtx: (actor: UserActor) => Ctx;
  log: Logger;
}

/** Maximum size of a connection's messages in a second. Parsing more would delay other connections. */
const maxPerSecondBytes = 2_097_152;

/** Serves graphql-transport-ws on a new connection until it is closed. */
export function startGraphqlSession(options: GraphqlSocketOptions): void {
  const { server, wire, protocol, network, sockets, authenticate, admit, newCtx, log } = options;
  const rateOf = createFrameRate();
  const bytesOf = createFrameRate({ perSecond: maxPerSecondBytes, flood: maxPerSecondBytes });
  let credential: HeldCredential | null = null;
  let isInitialized = false;
  let isClosed = false;
  const operations = new Map<string, AbortController>();
  const lose = (): void => wire.close(closeCodes.unauthenticated, 'The credential is missing or no longer valid.');
  const connectByMs = performance.now() + connectLimitMs;
  const remove = sockets.add({
    wire,
    check: (now, nowMs) => {
      if (credential?.isExpired(now)) lose();
      if (!isInitialized && nowMs > connectByMs) wire.close(closeCodes.timeout, 'No connection_init arrived in time.');
    },
    goAway: () => wire.close(closeCodes.goingAway, 'The service is restarting.'),
  });

  async function connect(token: string | null): Promise<void> {
    isInitialized = true;
    const actor = token === null ? null : await authenticate(token);
    if (!actor) return lose();
    try {
      await admit(actor);
    } catch {
      return wire.close(closeCodes.tooMany, 'Too many requests.');
    }
    if (isClosed) return;
    if (!(await sockets.join(actor)))
      return wire.close(closeCodes.tooMany, 'You have reached the connection limit of your plan.');
    if (isClosed) return sockets.leave(actor.userId);
    sockets.settle(network);
    wire.countFor(actor.userId);
    credential = holdCredential(newCtx, actor, token ?? '', lose);
  }

  function held(): HeldCredential {
    if (!credential) throw new Error('an operation came before its connection was acknowledged');
    return credential;
  }

  let receive: (data: string) => Promise<void> = async () => undefined;
  const closed = server.opened(
    {
      protocol,
      send: async (data) => {
        await wire.whenReady();
        wire.send(data);
      },
      close: (code = closeCodes.internal, reason = '') => wire.close(code, reason),
      onMessage: (listener) => (receive = listener),
    },
    {
      connect,
      admit: () => admit(held().ctx.actor as UserActor),
      newCtx: () => newCtx(held().ctx.actor as UserActor),
      operations,
      inTurn: pLimit(1),
    },
  );

  wire.onMessage((data, isBinary) => {
    if (isBinary) return wire.close(closeCodes.badFrame, 'A message is text.');
    if (rateOf() === 'flood' || bytesOf(data.length) === 'flood')
      return wire.close(closeCodes.badFrame, 'Too many messages.');
    const text = data.toString();
    // Without this, a waiting source would end only with its next event.
    const completed = /"type"\s*:\s*"complete"/.test(text) ? idIn(text) : null;
    if (completed !== null) operations.get(completed)?.abort();
    receive(text).catch((error: unknown) => {
      log.error({ err: error }, 'a GraphQL socket failed');
      wire.close(closeCodes.internal, 'Something went wrong on our side.');
    });
  });
  wire.onClose(() => {
    isClosed = true;
    remove();
    for (const left of operations.values()) left.abort();
    closed(closeCodes.goingAway, '').catch((error: unknown) =>
      log.warn({ err: error }, 'a GraphQL socket did not end'),
    );
    if (!credential) return sockets.settle(network);
    credential.release();
    sockets.leave((credential.ctx.actor as UserActor).userId);
  });
}

function idIn(text: string): string | null {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
