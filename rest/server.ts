import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { atFirstUse } from '../src/core/first-use.ts';
import { createGraphqlContext, type GraphqlContext } from '../schema/context.ts';
import { createStreamHandler } from '../schema/stream.ts';
import type { Actor } from '../src/core/actor.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { AppError } from '../src/core/errors.ts';
import type { OwnLimit } from '../src/core/rate-limit-table.ts';
import type { RateLimits } from '../src/core/rate-limits.ts';
import { gatheredSql } from '../src/core/sql.ts';
import type { Telemetry } from '../src/core/telemetry.ts';
import type { SimulatedPlatforms } from '../src/integrations/simulation.ts';
import { conversationExportAdapter } from './adapters/conversation-export.ts';
import { eventStreamAdapter } from './adapters/event-stream.ts';
import { documentContentAdapter } from './adapters/document-content.ts';
import { uploadAdapter } from './adapters/upload.ts';
import { messageSpeechAdapter, textSpeechAdapter } from './adapters/speech.ts';
import { transcriptionAdapter } from './adapters/transcription.ts';
import { identify } from './credentials.ts';
import { registerDevMail } from './dev-mail.ts';
import { type ProcessorPage, registerDevProcessor } from './dev-processor.ts';
import { registerDevPlatforms } from './dev-platforms.ts';
import { registerDocs } from './docs.ts';
import { answerTo, sendError } from './errors.ts';
import { preflightHeaders, staticHeaders } from './headers.ts';
import { registerExportDownload } from './export-download.ts';
import { registerHealth, type HealthChecks } from './health.ts';
import { createMetrics, registerMetrics } from './metrics.ts';
import { registerProcessorEvents } from './processor-events.ts';
import { registerPlatformEvents } from './platform-events.ts';
import { admit, countAgainst, setUncountedHeaders } from './rate-limit.ts';
import { registerRest } from './register.ts';

export interface ServerOptions {
  schema: GraphQLSchema;
  /** A Ctx for one request. */
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
  /** By name of the dependency; each rejects when it does not answer. */
  health: HealthChecks;
  /** The pages of the payment processor's stand-in, when there is one. */
  processorPage?: ProcessorPage;
  /** True once the service is going down: nothing new is begun. */
  isDraining: () => boolean;
  /** The chat platforms' stand-ins; null where the platforms are real. */
  simulatedPlatforms: SimulatedPlatforms | null;
  telemetry?: Telemetry;
}

const bodyLimitBytes = 1_048_576;
const stragglerMs = 3_000;
/** A client that opens a connection says who it is soon; 25 MB of sound may come over a slow line. */
const headersTimeoutMs = 20_000;
const requestTimeoutMs = 120_000;
const timeoutCheckMs = 5_000;
const lingerMs = 1_000;
const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

/** The HTTP server: /v1, GraphQL, documentation and operations behind one credential check and one rate limit. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const system = options.newCtx({ kind: 'system' }, 'server');
  const { config, log } = system;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged names its request itself; a logger for each costs more than its route.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => acceptedRequestId(headers['x-request-id']) ?? randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: timeoutCheckMs },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    // What is under way at the end is answered; see endStragglers.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    // A path that can't be read, or an id longer than any, is that of nothing; no hook runs for it.
    frameworkErrors: (_error, request, reply) => {
      setHeaders(request, reply as FastifyReply);
      sendError(new AppError('not_found'), request, reply as FastifyReply);
    },
    clientErrorHandler: refuseMalformed,
  });
  options.telemetry?.observeServer(app);
  endStragglers(app);
  app.decorateRequest('actor');
  const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id);
    setUncountedHeaders(reply, config.rateLimits);
    if (options.isDraining()) reply.header('connection', 'close');
    reply.headers(staticHeaders);
  };
  // One hook that waits for nothing, because every answer pays for it.
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    if (request.method === 'OPTIONS') return void reply.code(204).headers(preflightHeaders).send();
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });

  const context = (request: FastifyRequest, reply: FastifyReply): GraphqlContext =>
    createGraphqlContext(options.newCtx(request.actor, request.id), {
      userAgent: request.headers['user-agent'] ?? null,
      idempotencyKey: singleHeader(request.headers['idempotency-key']),
      resumeFrom: resumePoint(request.headers['last-event-id']),
      onDelivered: (fn) => reply.raw.once('finish', fn),
      leftSignal: () => {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        return left.signal;
      },
      countAgainst: (own) => countAgainst(options.rateLimits, config.rateLimits, request.actor, own),
    });
  const caller = { ...system, sql: gatheredSql(system.pool) };
  const gate = {
    identify: (request: FastifyRequest) => identify(caller, request),
    admit: (_request: FastifyRequest, reply: FastifyReply, actor: Actor, own?: OwnLimit) =>
      admit(options.rateLimits, config.rateLimits, reply, actor, own),
  };

  registerHealth(app, options.health, options.isDraining);
  if (config.profile === 'embedded') registerDevMail(app, () => options.newCtx({ kind: 'system' }, 'dev'));
  const metrics = createMetrics(app, () => options.newCtx({ kind: 'system' }, 'metrics'));
  registerMetrics(app, metrics);
  options.telemetry?.observeFigures(metrics);
  await registerProcessorEvents(app, options.newCtx);
  if (options.processorPage) await registerDevProcessor(app, options.processorPage);
  const projection = await registerRest(app, {
    schema: options.schema,
    ...gate,
    context,
    adapters: {
      stream: eventStreamAdapter(options.schema),
      export: conversationExportAdapter,
      upload: uploadAdapter,
      documentContent: documentContentAdapter,
      speech: textSpeechAdapter,
      messageSpeech: messageSpeechAdapter,
      transcription: transcriptionAdapter,
    },
  });
  registerExportDownload(app, { newCtx: options.newCtx, admit: gate.admit });
  registerDocs(app, projection);
  const newSystemCtx = (requestId: string) => options.newCtx({ kind: 'system' }, requestId);
  await registerPlatformEvents(app, newSystemCtx);
  if (options.simulatedPlatforms) registerDevPlatforms(app, newSystemCtx, options.simulatedPlatforms);
  registerGraphql(app, options, context, gate);
  return app;
}

/** When the server closes, requests that are under way get a while to end; streams that last for ever end with it. */
function endStragglers(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const { server } = app;
    const started = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - started < stragglerMs) server.closeIdleConnections();
      else server.closeAllConnections();
    }, 50);
    server.once('close', () => clearInterval(timer));
    done();
  });
}

interface Gate {
  identify(request: FastifyRequest): Promise<Actor>;
  admit(request: FastifyRequest, reply: FastifyReply, actor: Actor): Promise<void>;
}

function registerGraphql(
  app: FastifyInstance,
  { schema, newCtx }: ServerOptions,
  context: (request: FastifyRequest, reply: FastifyReply) => GraphqlContext,
  gate: Gate,
): void {
  const { config, log } = newCtx({ kind: 'system' }, 'server');
  const { introspection } = config;
  // No other path needs it, and loading it takes a tenth of a start.
  const apollo = atFirstUse(async () => {
    const { startApollo } = await import('../schema/apollo.ts');
    return startApollo({ schema, introspection, context, log });
  });
  app.addHook('onClose', async () => (await apollo.begun())?.stop());
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    request.actor = await gate.identify(request);
    await gate.admit(request, reply, request.actor);
  };
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest,
    handler: async (request, reply) => (await apollo()).answer(request, reply),
  });
  const stream = createStreamHandler({ schema, introspection, context });
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql/stream',
    onRequest,
    handler: async (request, reply) => {
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      await stream(request, reply);
      return reply;
    },
  });
}

const acceptedRequestId = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && requestIdForm.test(header) ? header : null;

/** `gen_…:120` of a delta is 120 UTF-16 units; after the end there is nothing left to read. */
function resumePoint(header: string | string[] | undefined): number | null {
  const point = typeof header === 'string' ? /:(\d{1,9}|done|error)$/.exec(header)?.[1] : undefined;
  if (point === undefined) return null;
  return /^\d/.test(point) ? Number(point) : Number.MAX_SAFE_INTEGER;
}

const singleHeader = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null;

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const level = reply.statusCode >= 500 ? 'warn' : 'debug';
  if (!(request.log as Logger).isLevelEnabled(level)) return;
  const entry = {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  };
  request.log[level](entry, 'request');
}

/** What is not even HTTP, or does not come to its end in time, gets the same envelope. */
function refuseMalformed(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const { body } = answerTo(new AppError('invalid_request', { message: 'The request is not valid HTTP.' }));
  const text = JSON.stringify(body);
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${randomUUID()}`,
      'X-RateLimit-Limit: 0',
      'X-RateLimit-Remaining: 0',
      `X-RateLimit-Reset: ${Math.ceil(Date.now() / 1000)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
  // Who does not close the connection from that side too would keep it for ever.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
