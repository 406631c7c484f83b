import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { answerChat } from './openai/chat.ts';
import { answerEmbeddings } from './openai/embeddings.ts';
import { apiError, HttpError, readJson, sendError, sendJson } from './openai/http.ts';
import { answerImages } from './openai/images.ts';
import { type Call, createJournal, type Journal, type RecordedRequest } from './openai/journal.ts';
import { answerModerations } from './openai/moderations.ts';
import { createScript, type ScriptRule } from './openai/script.ts';
import { answerSpeech, type Synthesizer, tones } from './openai/speech.ts';
import { answerTranscription } from './openai/transcription.ts';
import { contextWindow, listModels } from './openai/windows.ts';

interface SimulatorOptions {
  log: Logger;
  /** Delay before each word of a streamed reply, in milliseconds; 0 streams as fast as the client reads. */
  wordDelayMs?: number;
  /** Context windows by model name. They override the built-in ones. */
  contextTokens?: Readonly<Record<string, number>>;
  /** Synthesizer of speech; generates tones when omitted. */
  synthesizer?: Synthesizer | undefined;
  /** Maximum number of requests in the journal. */
  keepRequests?: number;
}

export interface OpenAiSimulator {
  /** Base URL of the API, ending in `/v1` as the SDK requires. */
  baseUrl: string;
  /** Applies a rule to the next matching request, or to the next `times` requests. The first matching rule wins. */
  script(rule: ScriptRule): void;
  /** The newest `keepRequests` requests with their outcomes, newest last. */
  readonly requests: readonly RecordedRequest[];
  /** Clears requests and rules. */
  reset(): void;
  stop(): Promise<void>;
}

/**
 * Starts a loopback server that speaks OpenAI's protocol, for tests and for trying the service without a credential.
 * Markers in a message cause faults; see `markers.ts`.
 */
export async function startOpenAiSimulator({
  log,
  wordDelayMs = 0,
  contextTokens,
  synthesizer = tones,
  keepRequests = 100,
}: SimulatorOptions): Promise<OpenAiSimulator> {
  const journal = createJournal(keepRequests);
  const script = createScript();
  const window = contextWindow(contextTokens);
  const routes: Record<string, (call: Call) => Promise<void> | void> = {
    'GET /v1/models': ({ res }) => sendJson(res, 200, listModels()),
    'POST /v1/chat/completions': (call) =>
      answerChat({ ...call, rule: script.take('chat', call.recorded.body), wordDelayMs, window }),
    'POST /v1/embeddings': (call) => answerEmbeddings({ ...call, rule: script.take('embeddings', call.recorded.body) }),
    'POST /v1/images/generations': (call) => answerImages({ ...call, rule: script.take('images', call.recorded.body) }),
    'POST /v1/moderations': (call) =>
      answerModerations({ ...call, rule: script.take('moderations', call.recorded.body) }),
    'POST /v1/audio/speech': (call) =>
      answerSpeech({ ...call, rule: script.take('speech', call.recorded.body), synthesizer }),
    'POST /v1/audio/transcriptions': (call) =>
      answerTranscription({ ...call, rule: script.take('transcription', call.recorded.body) }),
  };
  const server = createServer((req, res) => {
    res.on('error', () => {});
    answer(req, res, routes, journal).catch((error: unknown) => {
      if (!(error instanceof HttpError)) log.error({ err: error }, 'the OpenAI simulator failed');
      if (res.headersSent) res.destroy();
      else sendError(res, error instanceof HttpError ? error : apiError(500, 'The simulator failed.', 'server_error'));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: (rule) => script.add(rule),
    requests: journal.requests,
    reset: () => {
      journal.clear();
      script.clear();
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  routes: Record<string, (call: Call) => Promise<void> | void>,
  journal: Journal,
): Promise<void> {
  const path = (req.url ?? '').split('?')[0] ?? '';
  const route = routes[`${req.method} ${path}`];
  if (!route) throw apiError(404, `Invalid URL (${req.method} ${path})`);
  if (!/^Bearer \S+$/.test(req.headers.authorization ?? '')) {
    throw apiError(401, "You didn't provide an API key.", 'invalid_request_error', 'invalid_api_key');
  }
  // Forms are read by their route.
  const isForm = req.headers['content-type']?.startsWith('multipart/form-data') ?? false;
  const body = req.method === 'GET' || isForm ? {} : await readJson(req);
  await route({ req, res, recorded: journal.record(path, body, res) });
}
