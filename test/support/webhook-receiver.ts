import { createServer as createHttpsServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { generate } from 'selfsigned';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- the event, for the test to inspect
  event: any;
  at: number;
}

type Behave = (response: ServerResponse, received: Received, socket: Socket) => void;

/** An https endpoint that stores the requests it receives and responds as configured. */
export interface WebhookReceiver {
  /** `https://127.0.0.1:PORT`. */
  url: string;
  port: number;
  received: Received[];
  /** Number of TCP connections so far. */
  connections(): number;
  /** Sets the response to later requests; 200 at first. */
  behave(how: Behave): void;
  close(): Promise<void>;
}

interface Authority {
  ca: string;
  cert: string;
  key: string;
}

let authority: Promise<Made> | undefined;
type Made = Authority & { caKey: string };

/** Returns the certificate authority of the test file, which this process trusts from then on. */
export function trustedAuthority(): Promise<Made> {
  authority ??= createAuthority().then((made) => {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), made.ca]);
    return made;
  });
  return authority;
}

/** Creates a certificate authority, not trusted yet, and a certificate for 127.0.0.1 and localhost. */
export async function createAuthority(name = 'Test authority'): Promise<Made> {
  const ca = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: 'receiver.test' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { ca: ca.cert, caKey: ca.private, cert: leaf.cert, key: leaf.private };
}

/** Creates a certificate of the trusted authority, or of none, that a client must refuse. */
export async function faultyCertificate({
  host = 'localhost',
  isSelfSigned = false,
  ...dates
}: {
  host?: string;
  isSelfSigned?: boolean;
  notBeforeDate?: Date;
  notAfterDate?: Date;
}): Promise<Authority> {
  const { ca, caKey } = await trustedAuthority();
  const address = host === 'localhost' ? [{ type: 7 as const, ip: '127.0.0.1' }] : [];
  const leaf = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(isSelfSigned ? {} : { ca: { key: caKey, cert: ca } }),
    ...dates,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }, ...address] }],
  });
  return { ca, cert: leaf.cert, key: leaf.private };
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behave =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export async function startWebhookReceiver(using?: Authority): Promise<WebhookReceiver> {
  const { cert, key } = using ?? (await trustedAuthority());
  const received: Received[] = [];
  let how: Behave = answer(200);
  let connections = 0;
  const server = createHttpsServer({ cert, key }, (request, response) => {
    response.on('error', () => undefined);
    void keep(request).then(
      (one) => {
        received.push(one);
        how(response, one, request.socket);
      },
      () => undefined,
    );
  });
  server.on('connection', () => connections++);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    behave: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function keep(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return {
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body,
    event: JSON.parse(body.toString('utf8')),
    at: Date.now(),
  };
}
