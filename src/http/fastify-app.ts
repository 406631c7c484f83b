import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { sendError } from '../../rest/errors.ts';
import { acceptJsonOnly } from '../../rest/json-body.ts';
import type { Config } from '../core/config/config.ts';
import { AppError } from '../core/errors.ts';
import { sendPage } from './console/console.ts';
import { preflightHeaders, staticHeaders } from './headers.ts';
import { refuseMalformed } from './malformed.ts';
import { setUncountedHeaders } from './rate-limit.ts';
import { isSessionPath } from './console/session.ts';
import { isVisitorPath } from '../embeds/visitors/visitor-paths.ts';

const bodyLimitBytes = 1_048_576;
const shutdownGraceMs = 3_000;
const headersTimeoutMs = 20_000;
/** Long enough to send 25 MB of audio over a slow connection. */
const requestTimeoutMs = 120_000;
const timeoutCheckMs = 5_000;
const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

interface FastifyAppOptions {
  config: Config;
  log: Logger;
  /** Returns true once the service shuts down; responses then close their connection. */
  isDraining: () => boolean;
  /** Whether browsers get the console's page for paths without a route. */
  hasConsole: boolean;
}

/** Creates a Fastify instance with the limits, headers, errors and logging that all routes share. */
export function createFastifyApp({ config, log, isDraining, hasConsole }: FastifyAppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines name their request explicitly; a child logger for each request costs more than its routing.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => acceptedRequestId(headers['x-request-id']) ?? randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: timeoutCheckMs },
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    // Running requests are completed at shutdown; see `closeConnectionsAtShutdown`.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    // A path that cannot be decoded, or with an over-long id, matches no route, and no hook runs for it.
    frameworkErrors: (_error, request, reply) => {
      setHeaders(request, reply as FastifyReply);
      sendError(new AppError('not_found'), request, reply as FastifyReply);
    },
    clientErrorHandler: refuseMalformed,
  });
  closeConnectionsAtShutdown(app);
  app.decorateRequest('actor');
  const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id);
    setUncountedHeaders(reply, config.rateLimits);
    if (isDraining()) reply.header('connection', 'close');
    reply.headers(staticHeaders);
  };
  // A single synchronous hook, because it adds to the cost of every response.
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    const isPreflight = request.method === 'OPTIONS' && !isOfOwnPages(request.url);
    if (isPreflight) return void reply.code(204).headers(preflightHeaders).send();
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  acceptJsonOnly(app);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    if (!hasConsole) throw new AppError('not_found');
    return sendPage(request, reply);
  });
  return app;
}

/** Whether a path is called by pages of this service, or decides about origins itself. */
const isOfOwnPages = (url: string): boolean => isSessionPath(url) || isVisitorPath(url) || url.startsWith('/dev/');

/** Gives running requests a few seconds at shutdown, then closes all connections, including endless streams. */
function closeConnectionsAtShutdown(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const { server } = app;
    const started = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - started < shutdownGraceMs) server.closeIdleConnections();
      else server.closeAllConnections();
    }, 50);
    server.once('close', () => clearInterval(timer));
    done();
  });
}

const acceptedRequestId = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && requestIdForm.test(header) ? header : null;

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
