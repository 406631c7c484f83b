import { Agent, request as httpRequest } from 'node:http';

/** One timed exchange. */
export interface Timing {
  /** Time from sending to the first bytes that contain `mark`. */
  firstMs: number;
  /** Time from sending to the end. */
  wholeMs: number;
  text: string;
}

export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Text that the first delta contains, and nothing before it. */
  mark: string;
}

// Servers close an idle connection after five seconds.
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: 3_000 });

/** Sends a POST and times its response. @throws Error unless it is 2xx and contains the mark */
export function timeStream({ url, headers, body, mark }: StreamRequest): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let firstMs = Number.NaN;
    const chunks: Buffer[] = [];
    const call = httpRequest(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    call.once('error', reject).once('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        if (Number.isNaN(firstMs) && chunk.includes(mark)) firstMs = performance.now() - startedAt;
        chunks.push(chunk);
      });
      response.once('error', reject).once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const status = response.statusCode ?? 0;
        if (status < 300 && !Number.isNaN(firstMs)) resolve({ firstMs, wholeMs: performance.now() - startedAt, text });
        else reject(new Error(`${url}: ${status} ${text.slice(0, 300)}`));
      });
    });
    call.end(JSON.stringify(body));
  });
}
