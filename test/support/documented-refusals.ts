import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answer } from './client.ts';

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

interface DocumentedRoute {
  method: string;
  path: RegExp;
  parameters: number;
  /** `404 not_found` */
  refusals: Set<string>;
}

let routes: DocumentedRoute[] | null = null;

/**
 * Throws if a route of /v1 refuses with a status and code that `rest/openapi.json` does not list for it, or temporarily
 * without `Retry-After`, so that every test over HTTP compares the document with the service.
 */
export function requireDocumented(method: string, path: string, { status, body, headers }: Answer): void {
  const code: unknown = body?.error?.code;
  if (status < 400 || typeof code !== 'string') return;
  const [pathname = ''] = path.split('?');
  if ((status === 429 || status === 503) && !(Number(headers.get('retry-after')) >= 1))
    throw new Error(`${method} ${pathname} answered ${status} ${code} without Retry-After`);
  routes ??= readRoutes();
  const route = routes.find((known) => known.method === method && known.path.test(pathname));
  // 404 and 405 of unknown routes belong to no operation.
  if (!route || route.refusals.has(`${status} ${code}`)) return;
  throw new Error(`${method} ${pathname} returned ${status} ${code}, which rest/openapi.json does not list for it`);
}

function readRoutes(): DocumentedRoute[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../rest/openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as Documented;
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        parameters: path.split('{').length,
        refusals: new Set(
          Object.entries(responses).flatMap(([status, { description }]) =>
            [...description.matchAll(/^`(\w+)`: /gm)].map(([, code]) => `${status} ${code}`),
          ),
        ),
      })),
    )
    .toSorted((a, b) => a.parameters - b.parameters);
}
