import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import { answerCall } from './stripe/calls.ts';
import { simulatedPrices } from './stripe/catalog.ts';
import { createProcessor, type Processor } from './stripe/processor.ts';
import { HttpError, parseForm, readText } from './stripe/http.ts';
import { toJson } from './stripe/objects.ts';
import { answerPage, type PageAnswer, type PageRequest } from './stripe/pages.ts';
import type { Store } from './stripe/store.ts';

export interface StripeSimulatorOptions {
  log: Logger;
  clock: Clock;
  store: Store;
  /** URL of the browser pages, without a trailing slash. */
  pagesUrl: string;
  /** Secret that signs the events. */
  webhookSecret: string;
  /** Posts an event to the service. Returns false when it was not accepted. */
  send: (body: string, signature: string) => Promise<boolean>;
}

export interface StripeSimulator extends Processor {
  /** Base URL of the API, for STRIPE_API_BASE. */
  apiBase: string;
  prices: typeof simulatedPrices;
  /** Handles a browser request. `path` is the part after `pagesUrl`. */
  page(request: PageRequest): Promise<PageAnswer>;
  stop(): Promise<void>;
}

const tickMs = 5_000;

/**
 * Starts a loopback payment processor that speaks Stripe's protocol, for tests and for trying the service without a
 * Stripe account: checkout and portal pages, renewals, failed cards, invoices, signed events.
 */
export async function startStripeSimulator(options: StripeSimulatorOptions): Promise<StripeSimulator> {
  const { log, store, pagesUrl } = options;
  const processor = createProcessor(options);
  const server = createServer((req, res) => {
    res.on('error', () => {});
    answer(req, res).catch((error: unknown) => {
      if (!(error instanceof HttpError)) log.error({ err: error }, 'the Stripe simulator failed');
      const failure =
        error instanceof HttpError
          ? error
          : new HttpError(500, { type: 'api_error', message: 'The simulator failed.' });
      sendJson(res, failure.status, { error: failure.body });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const timer = setInterval(() => {
    processor
      .tick()
      .catch((error: unknown) => log.warn({ err: error }, 'a scheduled step of the Stripe simulator failed'));
  }, tickMs);

  function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_simulated', ...headers });
    res.end(toJson(body, pagesUrl));
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!/^Bearer \S+$/.test(req.headers.authorization ?? ''))
      throw new HttpError(401, { type: 'invalid_request_error', message: 'You did not provide an API key.' });
    const url = new URL(req.url ?? '/', 'http://localhost');
    const body = await readText(req);
    const key = req.headers['idempotency-key'];
    const { status, customerId, replayed, ...answered } = await answerCall(
      store,
      {
        method: req.method ?? 'GET',
        path: url.pathname,
        form: parseForm(body === '' ? url.search.slice(1) : body),
        idempotencyKey: typeof key === 'string' ? key : null,
      },
      await processor.now(),
    );
    sendJson(res, status, answered.body, replayed ? { 'idempotent-replayed': 'true' } : {});
    if (customerId) await processor.flush(customerId);
  }

  return {
    ...processor,
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prices: simulatedPrices,
    page: (request) => answerPage(processor, store, request),
    stop: async () => {
      clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
