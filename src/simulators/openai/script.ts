import type { ApiErrorBody } from './http.ts';
import { type ChatMessage, lastUserText } from './messages.ts';
import { outsideFences } from './retrieved.ts';

/** Where a response fails: before its headers, or after this number of deltas. */
type FaultPoint = 'before_headers' | number;

/** How a response fails. `end` closes the stream without a finish_reason. */
export interface Fault {
  kind: 'hang' | 'drop' | 'end' | 'error';
  after: FaultPoint;
  /** For `error`: the object sent inside the stream. */
  error?: Partial<ApiErrorBody> & { code?: string | null };
}

/** A response in its own words. */
interface RawResponse {
  /** Defaults to 200. */
  status?: number;
  /** Defaults to those of an event stream. */
  headers?: Readonly<Record<string, string>>;
  /** The body, in pieces. */
  pieces: readonly string[];
  /** Delay before each piece, in milliseconds. */
  pieceDelayMs?: number;
  /** Whether the connection stays open after the last piece. */
  staysOpen?: boolean;
}

/** Replaces the usual response to a request. */
export interface Behaviour {
  /** HTTP error status, with OpenAI's usual body or with `error`. */
  status?: number;
  retryAfterSeconds?: number;
  error?: Partial<ApiErrorBody>;
  /** Promise that delays the response until it settles. */
  gate?: Promise<unknown>;
  headersDelayMs?: number;
  firstDeltaDelayMs?: number;
  deltaDelayMs?: number;
  /** The reply, in exactly these pieces. */
  deltas?: readonly string[];
  finishReason?: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  /** False omits the usage chunk, as some providers do. */
  usage?: boolean;
  /** The response, exactly as given: what another provider of the protocol would send. */
  raw?: RawResponse;
  fault?: Fault;
  /** Response body of a transcription. */
  answer?: object;
}

export type ScriptedEndpoint = 'chat' | 'embeddings' | 'speech' | 'transcription' | 'images' | 'moderations';

export interface ScriptRule extends Behaviour {
  endpoint?: ScriptedEndpoint;
  /**
   * Text or pattern to find in the last user message outside its fences (or in the input of another endpoint), or a
   * predicate on the body. The transcript of a title is fenced, so a title does not take the rule of a later message.
   * Matches every request when omitted.
   */
  when?: string | RegExp | ((body: Record<string, unknown>) => boolean);
  /** Number of requests to which the rule applies; defaults to 1. */
  times?: number;
}

export interface Script {
  add(rule: ScriptRule): void;
  /** Consumes and returns the behaviour for a request. */
  take(endpoint: ScriptedEndpoint, body: Record<string, unknown>): Behaviour | undefined;
  clear(): void;
}

export function createScript(): Script {
  const rules: { rule: ScriptRule; left: number }[] = [];
  return {
    add: (rule) => void rules.push({ rule, left: rule.times ?? 1 }),
    take: (endpoint, body) => {
      const index = rules.findIndex(({ rule }) => (rule.endpoint ?? 'chat') === endpoint && matches(rule.when, body));
      const found = rules[index];
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) rules.splice(index, 1);
      return found.rule;
    },
    clear: () => void (rules.length = 0),
  };
}

function matches(when: ScriptRule['when'], body: Record<string, unknown>): boolean {
  if (when === undefined) return true;
  if (typeof when === 'function') return when(body);
  const text = Array.isArray(body['messages'])
    ? outsideFences(lastUserText(body['messages'] as ChatMessage[]))
    : JSON.stringify(body['input'] ?? body['prompt'] ?? '');
  return typeof when === 'string' ? text.includes(when) : when.test(text);
}
