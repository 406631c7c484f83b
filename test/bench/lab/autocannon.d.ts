// The part of autocannon that is used here; the package has no types.
declare module 'autocannon' {
  interface Options {
    url: string;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Sampling interval in milliseconds; a run ends at the end of one. */
    sampleInt?: number;
    /** Returns false if the response is a mismatch. */
    verifyBody?: (body: string) => boolean;
  }

  interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    mismatches: number;
    start: Date;
    finish: Date;
    latency: { p50: number; p99: number };
  }

  export default function autocannon(options: Options): Promise<Result>;
}
