import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { lazy } from '../lazy.ts';
import { openConnections, wasReused } from './outgoing.ts';
import { isAllowedAddress } from './public-address.ts';

/** Faults of TLS by the codes of Node and OpenSSL. The first expression that matches counts. */
const tlsFaults = [
  ['tls_certificate_expired', /^CERT_HAS_EXPIRED/],
  ['tls_certificate_not_yet_valid', /^CERT_NOT_YET_VALID/],
  ['tls_wrong_host', /^ERR_TLS_CERT_ALTNAME|^HOSTNAME_MISMATCH/],
  ['tls_self_signed', /^DEPTH_ZERO_SELF_SIGNED|^SELF_SIGNED/],
  ['tls_incomplete_chain', /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/],
  ['tls_http2_only', /NO_APPLICATION_PROTOCOL/],
  ['tls_not_spoken', /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/],
  [
    'tls_error',
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|UNABLE_TO|INVALID_|PATH_LENGTH|ERROR_IN_CERT|UNSPECIFIED)/,
  ],
] as const;

/** Reason why there is no usable response. It does not reveal whether a port in a private network is open. */
export type FetchFault = 'unreachable' | (typeof tlsFaults)[number][0] | 'connection_lost' | 'timeout';

export interface FetchResult {
  /** HTTP status, also when the body was cut off. Null when there was no response. */
  status: number | null;
  fault: FetchFault | null;
  /** Beginning of the response body. */
  excerpt: string;
  /** Value of `Retry-After` as received. */
  retryAfter: string | null;
  durationMs: number;
}

interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Time limit of the whole exchange: name resolution, connection, request and response body. */
  timeoutMs: number;
}

interface GetRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Largest body in bytes; a longer one is not read to its end. */
  maxBytes: number;
  timeoutMs: number;
}

export interface GetResult extends Pick<FetchResult, 'status' | 'fault'> {
  /** The whole body. Null when it is longer than allowed or incomplete. */
  body: Buffer | null;
}

/** HTTP client for URLs that untrusted users have chosen. */
export interface SafeFetch {
  /** Sends a GET request over https. Does not follow redirects, uses no proxy and never throws. */
  get(request: GetRequest): Promise<GetResult>;
  /**
   * Sends a POST request over https. Does not follow redirects, uses no proxy, reads at most 64 KB and never throws.
   */
  post(request: PostRequest): Promise<FetchResult>;
  close(): Promise<void>;
}

interface SafeFetchOptions {
  /** Whether loopback and private networks are allowed. Link-local addresses never are. */
  allowPrivate: boolean;
  /** Tenants may share an origin; treat this as a last-resort cap. */
  maxConnectionsPerOrigin: number;
  /** Resolves a host name. Defaults to the system's resolver. */
  resolve?: Resolve;
}

export type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const maxReadBytes = 64 * 1_024;
const excerptBytes = 4 * 1_024;

const forbidden = () => Object.assign(new Error('address not allowed'), { code: 'EFORBIDDEN' });
const tooLate = Object.assign(new Error('the exchange took too long'), { code: 'ETOOLATE' });
const enough = Object.assign(new Error('enough of the body was read'), { code: 'EENOUGH' });

const systemResolve: Resolve = (hostname, callback) =>
  dnsLookup(hostname, { all: true }, (error, addresses) => callback(error, addresses));

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const agent = lazy(() => openAgent(options));
  return {
    post: async (request) => {
      const opened = await agent();
      const limits = { keptBytes: excerptBytes, maxBytes: maxReadBytes };
      const { chunks, retryAfter, durationMs, ...outcome } = await exchange(opened, {
        ...request,
        ...limits,
        method: 'POST',
      });
      return { status: outcome.status, fault: outcome.fault, excerpt: textOf(chunks), retryAfter, durationMs };
    },
    get: async ({ maxBytes, ...request }) => {
      const opened = await agent();
      const limits = { keptBytes: maxBytes, maxBytes: maxBytes + 1 };
      const { status, fault, chunks, isWhole } = await exchange(opened, {
        ...request,
        ...limits,
        method: 'GET',
        body: null,
      });
      return { status, fault, body: isWhole ? Buffer.concat(chunks) : null };
    },
    close: async () => (await agent.begun())?.destroy(),
  };
}

const openAgent = (options: SafeFetchOptions): Promise<Agent> =>
  openConnections({
    connector: (buildConnector) =>
      guardedConnector(options, buildConnector({ lookup: guardedLookup(options), timeout: 5_000, allowH2: false })),
    connections: options.maxConnectionsPerOrigin,
    pipelining: 1,
    // The whole exchange has one time limit, set below.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1_024,
  });

/** Resolves a name once: the addresses that are checked are those that are dialled, which prevents DNS rebinding. */
const guardedLookup =
  ({ allowPrivate, resolve = systemResolve }: SafeFetchOptions): LookupFunction =>
  (hostname, lookupOptions, callback) =>
    resolve(hostname, (error, addresses) => {
      const first = addresses?.[0];
      if (error || !first) return callback(error ?? forbidden(), '', 0);
      // A name with a single forbidden address is rejected, because any of its addresses could be dialled.
      if (!addresses.every(({ address }) => isAllowedAddress(address, allowPrivate)))
        return callback(forbidden(), '', 0);
      return lookupOptions.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });

/** Checks a literal address before connecting. */
const guardedConnector =
  ({ allowPrivate }: SafeFetchOptions, connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (target.protocol !== 'https:' || (isIP(host) !== 0 && !isAllowedAddress(host, allowPrivate))) {
      callback(forbidden(), null);
      return;
    }
    connect({ ...target, hostname: host }, callback);
  };

interface Exchange extends Omit<PostRequest, 'body'> {
  method: 'GET' | 'POST';
  body: Buffer | null;
  /** Number of bytes kept from the beginning of the body. */
  keptBytes: number;
  /** Number of bytes after which reading stops. */
  maxBytes: number;
}

interface Outcome extends Omit<FetchResult, 'excerpt'> {
  chunks: readonly Buffer[];
  /** Whether the body was received to its end. */
  isWhole: boolean;
  /** Whether a reused connection was closed before any byte of the response. */
  isStale: boolean;
}

/**
 * Sends a request. If a reused connection breaks before any byte of the response, sends it once more: the peer closed the
 * connection just as the request was sent.
 */
async function exchange(agent: Agent, request: Exchange): Promise<Outcome> {
  const send = (timeoutMs: number): Promise<Outcome> =>
    new Promise((resolve) => startExchange(agent, { ...request, timeoutMs }, resolve));
  const first = await send(request.timeoutMs);
  const remainingMs = request.timeoutMs - first.durationMs;
  if (!first.isStale || remainingMs <= 0) return first;
  const second = await send(remainingMs);
  return { ...second, durationMs: first.durationMs + second.durationMs };
}

function startExchange(agent: Agent, request: Exchange, resolve: (outcome: Outcome) => void): void {
  const url = new URL(request.url);
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  let readBytes = 0;
  let status: number | null = null;
  let retryAfter: string | null = null;
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;

  const settle = (fault: FetchFault | null, { isWhole = false, isStale = false } = {}): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    resolve({
      status,
      fault,
      chunks,
      isWhole,
      isStale,
      retryAfter,
      durationMs: Math.round(performance.now() - startedAt),
    });
  };
  const timer = setTimeout(() => {
    controller?.abort(tooLate);
    settle('timeout');
  }, request.timeoutMs);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (settled) started.abort(tooLate);
    },
    onResponseStart: (_controller, statusCode, headers) => {
      status = statusCode;
      const given = headers['retry-after'];
      retryAfter = (Array.isArray(given) ? given[0] : given) ?? null;
    },
    onResponseData: (current, chunk) => {
      if (readBytes < request.keptBytes) chunks.push(Buffer.from(chunk.subarray(0, request.keptBytes - readBytes)));
      readBytes += chunk.length;
      if (readBytes < request.maxBytes) return;
      // The status is known and the rest of the body is not needed.
      settle(null);
      current.abort(enough);
    },
    onResponseEnd: () => settle(null, { isWhole: true }),
    onResponseError: (_controller, error) => settle(faultOf(error), { isStale: status === null && wasReused(error) }),
  };
  try {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: request.body,
      },
      handler,
    );
  } catch {
    settle('unreachable');
  }
}

function textOf(chunks: readonly Buffer[]): string {
  if (chunks.length === 0) return '';
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '');
}

/** Codes for a peer that closed the connection or sent something that is not HTTP. */
const lostCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_HEADERS_OVERFLOW',
]);

function faultOf(error: unknown): FetchFault {
  const { code = '', name = '', message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === 'ETOOLATE' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  const [tlsFault] = tlsFaults.find(([, codes]) => codes.test(code)) ?? [];
  if (tlsFault) return tlsFault;
  if (lostCodes.has(code) || name === 'HTTPParserError') {
    return /before secure TLS connection/.test(message) ? 'tls_error' : 'connection_lost';
  }
  return 'unreachable';
}
