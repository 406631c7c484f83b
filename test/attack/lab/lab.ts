import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import type { LabAddress, Site } from './start.ts';

/** One of the two services, as its attacker and its operator see it. */
export interface LabService extends Client, Site {
  baseUrl: string;
  /** The second instance. */
  other: Client & { baseUrl: string };
  /** A pool of the test's own. */
  db: pg.Pool;
}

export interface Lab {
  open: LabService;
  shipped: LabService;
  secrets: LabAddress['secrets'];
}

/** Connects to the services of the run, until the attacks of the calling file have ended. */
export function openLab(): Lab {
  const { open, shipped, secrets } = inject('lab');
  const services = { open: enter(open), shipped: enter(shipped) };
  afterAll(() => Promise.all([services.open.db.end(), services.shipped.db.end()]));
  return { ...services, secrets };
}

function enter(site: Site): LabService {
  const [first, second] = site.urls;
  const db = new pg.Pool({ connectionString: site.databaseUrl, max: 3 });
  db.on('error', () => undefined);
  return {
    ...site,
    ...createClient(first),
    baseUrl: first,
    other: { ...createClient(second), baseUrl: second },
    db,
  };
}

interface RawOptions {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Loopback address from which the request is sent. */
  from?: string;
}

/** Sends a request with headers that fetch refuses to send, from a chosen address. */
export function raw(baseUrl: string, { method = 'GET', path, headers = {}, body, from }: RawOptions): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { hostname, port, method, path, headers, agent: false, ...(from ? { localAddress: from } : {}) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') ?? false;
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headersDistinct).flatMap(([name, values]) =>
                (values ?? []).map((value) => [name, value] as [string, string]),
              ),
            ),
            body: isJson && text ? JSON.parse(text) : text,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** `raw` with a JSON body. */
export const rawJson = (baseUrl: string, path: string, body: unknown, options: Partial<RawOptions> = {}) =>
  raw(baseUrl, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
