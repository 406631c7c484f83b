import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Route } from '../../rest/routes/route.ts';
import { routes } from '../../rest/routes/routes.ts';

/** `POST /agents/:id`: a row of the route table. */
export type RouteName = string;

/** Compares responses with the route table and the OpenAPI document, and counts which routes succeeded. */
export interface Contract {
  route(name: RouteName): Route;
  /** Returns what is wrong with a response, or null. Counts a call of the route if the status is its success. */
  fault(name: RouteName, answer: { status: number; headers: Headers; body: unknown }): string | null;
  /** Routes that never succeeded, and those that missed whole minutes, with how many. */
  coverage(minutes: number): { called: number; never: RouteName[]; missed: Map<RouteName, number> };
}

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>;
}

const alwaysThere = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

export async function readContract(): Promise<Contract> {
  const text = await readFile(resolve(import.meta.dirname, '../../rest/openapi.json'), 'utf8');
  const document = JSON.parse(text) as Documented;
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: { 'date-time': timestamp, int32: true, double: true, float: true, uri: true, email: true, binary: true },
  });
  ajv.addSchema(document, 'openapi');
  const table = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const startedAt = performance.now();
  const minutesOf = new Map<RouteName, Set<number>>();

  const route = (name: RouteName): Route => {
    const row = table.get(name);
    if (!row) throw new Error(`there is no route ${name}`);
    return row;
  };

  const schemaFault = (path: string, method: string, status: number, body: unknown): string | null => {
    const responses = document.paths[path]?.[method]?.responses;
    if (!responses?.[status]) return `the status ${status} is not documented`;
    if (!responses[status].content?.['application/json']) return null;
    const place = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const $ref = `openapi#/${place
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $id: `${method} ${path} ${status}`, $ref });
    return validate(body) ? null : `the body is not as documented: ${ajv.errorsText(validate.errors)}`;
  };

  return {
    route,
    fault(name, { status, headers, body }) {
      const row = route(name);
      const missing = alwaysThere.filter((header) => !headers.has(header));
      if (missing.length > 0) return `without ${missing.join(', ')}`;
      if (status >= 500 && status !== 502 && status !== 503 && status !== 504) return 'an internal error';
      if ((status === 429 || status === 503) && !headers.has('retry-after')) return 'without Retry-After';
      if (status === row.status) {
        const minute = Math.floor((performance.now() - startedAt) / 60_000);
        minutesOf.set(name, (minutesOf.get(name) ?? new Set()).add(minute));
      }
      const path = `/v1${row.path}`.replaceAll(/:(\w+)/g, '{$1}');
      return schemaFault(path, row.method.toLowerCase(), status, body);
    },
    coverage(minutes) {
      const names = [...table.keys()];
      const missed = new Map<RouteName, number>();
      for (const name of names) {
        const seen = [...(minutesOf.get(name) ?? [])].filter((minute) => minute < minutes).length;
        if (seen < minutes) missed.set(name, minutes - seen);
      }
      return { called: minutesOf.size, never: names.filter((name) => !minutesOf.has(name)), missed };
    },
  };
}
