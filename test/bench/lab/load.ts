import autocannon from 'autocannon';
import type { BenchProcess, Candidate, Slice } from '../row.ts';

export interface BenchRequest {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/** The status that a response must have for its operation to count. */
export type Expectation = (body: string) => boolean;

const sampleMs = 100;

/** A candidate that receives one request repeatedly, `connections` at a time. An unexpected response fails the row. */
export function closedLoop(
  name: string,
  process: BenchProcess,
  request: BenchRequest,
  expected: Expectation,
  connections = 16,
): Candidate {
  const work = async (ms: number): Promise<Slice> => {
    const result = await autocannon({
      url: `${process.url}${request.path}`,
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      connections,
      duration: ms / 1000,
      sampleInt: sampleMs,
      verifyBody: expected,
    });
    const { errors, mismatches, non2xx } = result;
    if (errors + mismatches + non2xx > 0)
      throw new Error(`${name}: ${errors} errors, ${mismatches} unexpected bodies, ${non2xx} other statuses`);
    return {
      operations: result['2xx'],
      ms: result.finish.getTime() - result.start.getTime(),
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
    };
  };
  return { name, process, work };
}

/** Sends the request once and returns the response. @throws Error unless the status is 2xx */
export async function answerOf(process: BenchProcess, request: BenchRequest): Promise<string> {
  const response = await fetch(`${process.url}${request.path}`, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${request.method ?? 'GET'} ${request.path} of ${process.url}: ${response.status} ${text}`);
  return text;
}

const headersOf = ({ headers = {}, body }: BenchRequest): Record<string, string> => ({
  ...headers,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
});
