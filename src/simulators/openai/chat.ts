import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { countTokens, tokenUpperBound } from '../../core/tokens.ts';
import type { Call } from './journal.ts';
import { apiError, errorForStatus, sendError, sendJson } from './http.ts';
import { markedBehaviour } from './markers.ts';
import { type ChatMessage, lastUserText, textOf } from './messages.ts';
import { composeReply, taskOf } from './reply.ts';
import type { Behaviour, Fault } from './script.ts';
import { chunkWriter, type Finish } from './stream.ts';

interface ChatCall extends Call {
  rule: Behaviour | undefined;
  wordDelayMs: number;
  window: (model: string) => number;
}

interface ChatBody {
  model: string;
  messages: ChatMessage[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_completion_tokens?: number;
  max_tokens?: number;
}

/** Handles POST /v1/chat/completions, streamed or not, with the fault of the script or of a marker in the message. */
export async function answerChat({ res, recorded, rule, wordDelayMs, window }: ChatCall): Promise<void> {
  const body = checkBody(recorded.body);
  const task = taskOf(body.messages);
  const behaviour = rule ?? (task === 'reply' ? markedBehaviour(lastUserText(body.messages)) : undefined) ?? {};
  const hangup = new AbortController();
  res.once('close', () => hangup.abort());

  await behaviour.gate;
  if (behaviour.headersDelayMs) await pause(behaviour.headersDelayMs, hangup.signal);
  if (behaviour.fault && (behaviour.fault.after === 'before_headers' || !body.stream))
    return failBeforeHeaders(res, behaviour.fault.kind);
  if (behaviour.raw) return sendRaw(res, behaviour.raw, hangup.signal);
  if (behaviour.status)
    return sendError(res, errorForStatus(behaviour.status, behaviour.retryAfterSeconds, behaviour.error));
  const promptTokens = countPrompt(body, window(body.model));
  const { deltas, finishReason } = behaviour.deltas
    ? { deltas: behaviour.deltas, finishReason: 'stop' as const }
    : cut(composeReply(body.messages).match(/\s*\S+\s*$|\s*\S+/g) ?? [], body);
  const finish: Finish = {
    reason: behaviour.finishReason ?? finishReason,
    promptTokens,
    completionTokens: countTokens(deltas.join('')),
  };
  if (!body.stream) return sendWhole(res, body.model, deltas.join(''), finish);

  const stream = chunkWriter(res, body.model, body.stream_options?.include_usage === true && behaviour.usage !== false);
  await stream.open();
  for (const [index, delta] of deltas.entries()) {
    if (behaviour.fault?.after === index) return stream.fail(behaviour.fault);
    const waitMs =
      (index === 0 ? behaviour.firstDeltaDelayMs : undefined) ??
      behaviour.deltaDelayMs ??
      (behaviour.deltas ? 0 : wordDelayMs);
    if (waitMs > 0) await pause(waitMs, hangup.signal);
    if (hangup.signal.aborted) return;
    await stream.delta(delta);
    recorded.deltasSent += 1;
  }
  if (behaviour.fault) return stream.fail(behaviour.fault);
  stream.finish(finish);
}

function checkBody(body: Record<string, unknown>): ChatBody {
  if (typeof body['model'] !== 'string') throw apiError(400, 'you must provide a model parameter');
  if (!Array.isArray(body['messages']) || body['messages'].length === 0) {
    throw apiError(
      400,
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
  }
  return body as unknown as ChatBody;
}

/**
 * Counts the tokens of a prompt.
 * @throws HttpError 400 context_length_exceeded, in OpenAI's format
 */
function countPrompt({ messages, max_completion_tokens: asked = 0 }: ChatBody, window: number): number {
  const texts = messages.map(textOf);
  const overhead = 4 * texts.length + 3;
  const atMost = texts.reduce((sum, text) => sum + tokenUpperBound(text), overhead);
  const tokens =
    atMost < 1_000_000 || atMost + asked > window
      ? texts.reduce((sum, text) => sum + countTokens(text), overhead)
      : atMost;
  if (tokens + asked <= window) return tokens;
  const message = `This model's maximum context length is ${window} tokens. However, you requested ${tokens + asked} tokens (${tokens} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`;
  throw apiError(400, message, 'invalid_request_error', 'context_length_exceeded');
}

/** Returns the deltas within the requested number of tokens. */
function cut(
  deltas: readonly string[],
  { max_completion_tokens, max_tokens }: ChatBody,
): { deltas: readonly string[]; finishReason: 'stop' | 'length' } {
  const limit = max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY;
  if (deltas.reduce((sum, delta) => sum + tokenUpperBound(delta), 0) <= limit) return { deltas, finishReason: 'stop' };
  let tokens = 0;
  const end = deltas.findIndex((delta) => (tokens += countTokens(delta)) > limit);
  return end === -1 ? { deltas, finishReason: 'stop' } : { deltas: deltas.slice(0, end), finishReason: 'length' };
}

function sendWhole(
  res: ServerResponse,
  model: string,
  content: string,
  { reason, promptTokens, completionTokens }: Finish,
): void {
  sendJson(res, 200, {
    id: 'chatcmpl-simulated',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: reason },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  });
}

async function sendRaw(
  res: ServerResponse,
  { status = 200, headers, pieces, pieceDelayMs = 0, staysOpen = false }: NonNullable<Behaviour['raw']>,
  hangup: AbortSignal,
): Promise<void> {
  res.writeHead(status, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });
  for (const piece of pieces) {
    if (pieceDelayMs > 0) await pause(pieceDelayMs, hangup);
    res.write(piece);
  }
  if (!staysOpen) res.end();
}

/** Simulates a fault before the headers: no response until the caller disconnects, or a broken connection. */
function failBeforeHeaders(res: ServerResponse, kind: Fault['kind']): void {
  if (kind !== 'hang') res.destroy();
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
