import type { Route } from '../../rest/routes/route.ts';
import { routes } from '../../rest/routes/routes.ts';
import { readDocumentedAnswers } from '../support/documented-answers.ts';

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

const alwaysThere = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

export function readContract(): Contract {
  const faultOf = readDocumentedAnswers();
  const table = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const startedAt = performance.now();
  const minutesOf = new Map<RouteName, Set<number>>();

  const route = (name: RouteName): Route => {
    const row = table.get(name);
    if (!row) throw new Error(`there is no route ${name}`);
    return row;
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
      return faultOf(path, row.method.toLowerCase(), status, body);
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
