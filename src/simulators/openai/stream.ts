import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { errorForStatus } from './http.ts';
import type { Fault } from './script.ts';

export interface Finish {
  reason: string;
  promptTokens: number;
  completionTokens: number;
}

interface ChunkWriter {
  open(): Promise<void>;
  /** Resolves when the reader has caught up or disconnected. */
  delta(content: string): Promise<void> | void;
  finish(finish: Finish): void;
  fail(fault: Fault): void;
}

/**
 * Creates a writer of OpenAI's server-sent chunks. The text around a delta is built once per stream, because a
 * benchmark sends millions of deltas.
 */
export function chunkWriter(res: ServerResponse, model: string, withUsage: boolean): ChunkWriter {
  const head = `"id":"chatcmpl-simulated","object":"chat.completion.chunk","created":${Math.floor(Date.now() / 1_000)},"model":${JSON.stringify(model)}`;
  const noUsage = withUsage ? ',"usage":null' : '';
  const chunk = (choices: string, usage = noUsage) => `data: {${head},"choices":[${choices}]${usage}}\n\n`;
  const [before, after] = chunk('{"index":0,"delta":{"content":\0},"logprobs":null,"finish_reason":null}').split(
    '\0',
  ) as [string, string];
  const write = (text: string): Promise<void> | void => {
    if (!res.write(text) && !res.destroyed) return drained(res);
  };

  return {
    open: async () => {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
      await write(
        chunk(
          '{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}',
        ),
      );
    },
    delta: (content) => write(before + JSON.stringify(content) + after),
    finish: ({ reason, promptTokens, completionTokens }) => {
      const usage = `,"usage":{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens}}`;
      const last = chunk(`{"index":0,"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}`);
      res.end(`${last}${withUsage ? chunk('', usage) : ''}data: [DONE]\n\n`);
    },
    fail: ({ kind, error }) => {
      if (kind === 'end') res.end();
      if (kind === 'error')
        res.end(`data: ${JSON.stringify({ error: errorForStatus(500, undefined, error).body })}\n\n`);
      // Destroyed after the write, so that the written data reaches the reader before the connection breaks.
      if (kind === 'drop') res.write('', () => setImmediate(() => res.destroy()));
    },
  };
}

/** Breaks the connection of a response without events. */
export function breakStream(res: ServerResponse, { kind }: Fault): void {
  if (kind === 'end') res.end();
  // Destroyed after the write, so that the written data reaches the reader before the connection breaks.
  if (kind === 'drop' || kind === 'error') res.write('', () => setImmediate(() => res.destroy()));
}

/** Resolves when the response accepts more data or its connection is closed. */
export async function drained(res: ServerResponse): Promise<void> {
  const settled = new AbortController();
  await Promise.race([once(res, 'drain', settled), once(res, 'close', settled)]).catch(() => undefined);
  settled.abort();
}
