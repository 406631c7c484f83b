import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { handleProtocols } from 'graphql-ws';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { errorResponse } from '../../../rest/errors.ts';
import { toImage } from '../../../schema/images.ts';
import { toDocument } from '../../../schema/knowledge.ts';
import { createGraphqlSocketServer } from '../../../schema/socket.ts';
import type { Actor, UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { gatheredSql } from '../../core/database/sql.ts';
import { AppError } from '../../core/errors.ts';
import type { OwnLimit } from '../../core/http/rate-limit-table.ts';
import type { RateLimits } from '../../core/http/rate-limits.ts';
import { toWire } from '../../core/wire.ts';
import { createChannels } from '../../realtime/channels.ts';
import { createAccountSockets } from '../../realtime/socket/account-sockets.ts';
import { createOpenSockets } from '../../realtime/socket/open-sockets.ts';
import { createSendBudget } from '../../realtime/socket/send-budget.ts';
import { startSocketSession } from '../../realtime/socket/socket-session.ts';
import { createWire, maxSoundBytes } from '../../realtime/socket/wire.ts';
import { findActor } from '../credentials.ts';
import { startGraphqlSession } from './graphql-socket.ts';
import { networkOf } from '../../core/http/network.ts';
import { refuseOtherMethods } from '../other-methods.ts';
import { admitFrame } from '../rate-limit.ts';

interface SocketsOptions {
  schema: GraphQLSchema;
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
  isDraining: () => boolean;
}

/** Size of the longest message in any characters, together with its GraphQL document. */
const maxMessageBytes = 196_608;

/**
 * Serves WebSocket connections: the JSON protocol at /v1/socket, and graphql-transport-ws at /graphql. Rejects all
 * other upgrades.
 */
export function registerSockets(app: FastifyInstance, options: SocketsOptions): void {
  const { schema, newCtx, rateLimits, isDraining } = options;
  const system = newCtx({ kind: 'system' }, 'sockets');
  const { config, log, clock, catalog } = system;
  const lookups = { ...system, sql: gatheredSql(system.pool) };
  const { instanceId } = system.ports.generations;
  const accounts = createAccountSockets({ pool: system.pool, instanceId, log });
  const sockets = createOpenSockets({ catalog, accounts, now: () => clock.now(), isDraining });
  const budget = createSendBudget();
  const channels = createChannels({
    document: (document) => withoutNull(toWire(toDocument(document)) as object),
    image: (ctx, image) => withoutNull(toWire(toImage(ctx)(image)) as object),
  });
  const newUserCtx = (actor: UserActor): Ctx => newCtx(actor, randomUUID());
  const graphql = createGraphqlSocketServer(schema, config.introspection);
  const admit = (actor: UserActor, own?: OwnLimit): Promise<void> =>
    admitFrame(rateLimits, config.rateLimits, actor, own);

  const endpoints: Record<string, SocketEndpoint> = {
    '/v1/socket': {
      server: webSocketServer(maxSoundBytes),
      start: (socket, ip, network) =>
        startSocketSession({
          wire: createWire(socket, budget),
          network,
          sockets,
          channels,
          authenticate: (token) => findActor(lookups, token, ip),
          admit,
          newCtx: newUserCtx,
          log,
        }),
    },
    '/graphql': {
      server: webSocketServer(maxMessageBytes, { handleProtocols }),
      start: (socket, ip, network) =>
        startGraphqlSession({
          server: graphql,
          wire: createWire(socket, budget),
          protocol: socket.protocol,
          network,
          sockets,
          authenticate: (token) => findActor(lookups, token, ip),
          admit,
          newCtx: newUserCtx,
          log,
        }),
    },
  };

  // Node does not route a request for an upgrade, so this one has none.
  app.get('/v1/socket', async (_request, reply) => {
    reply.headers({ upgrade: 'websocket', connection: 'Upgrade' });
    throw new AppError('upgrade_required');
  });
  refuseOtherMethods(app, '/v1/socket', ['GET']);
  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const endpoint = endpoints[(request.url ?? '').split('?', 1)[0] ?? ''];
    const ip = addressOf(request, config.trustProxy);
    const network = networkOf(ip);
    if (!endpoint) return refuse(stream, new AppError('not_found'));
    if (isDraining()) return refuse(stream, new AppError('unavailable'));
    if (!sockets.admit(network)) return refuse(stream, new AppError('rate_limited'));
    let isOpen = false;
    // A failed handshake never becomes a connection.
    stream.once('close', () => isOpen || sockets.settle(network));
    endpoint.server.handleUpgrade(request, stream, head, (socket) => {
      isOpen = true;
      endpoint.start(socket, ip, network);
    });
  });
  app.addHook('preClose', () => sockets.close());
}

interface SocketEndpoint {
  server: WebSocketServer;
  start: (socket: WebSocket, ip: string, network: string) => void;
}

const webSocketServer = (maxPayload: number, options: ServerOptions = {}): WebSocketServer =>
  new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload, ...options });

/** Returns the address of the client: the first one that the proxy reports, if there is a trusted proxy. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined;
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim();
  return first || (socket.remoteAddress ?? '');
}

/** Rejects an upgrade with an HTTP error. */
function refuse(stream: Duplex, error: AppError): void {
  const { status, headers, body } = errorResponse(error);
  const text = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' });
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
  );
}

/** Removes a null `error`, which REST omits. */
const withoutNull = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([name, value]) => name !== 'error' || value !== null));
