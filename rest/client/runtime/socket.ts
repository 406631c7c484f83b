import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './retry.ts';
import { type Line, openLine, type WebSocketConstructor } from './socket-line.ts';
import type { ClientOptions } from './transport.ts';
import { createTurn, type VoiceOptions, type VoiceTurn } from './voice.ts';
import type { ErrorCode } from './vocabulary.ts';

export interface SocketOptions {
  /** Replaces the built-in `WebSocket`, which Node has since version 22. */
  WebSocket?: WebSocketConstructor;
  /** A connection that is silent for this long is replaced. Defaults to 60,000. */
  idleMs?: number;
}

/** An event of a channel. */
export interface ChannelEvent {
  type: string;
  /** Pass it as `after` to resume; null for an event that cannot be resumed from. */
  offset: string | null;
  created_at?: string;
  data: Record<string, unknown>;
}

export interface SubscribeOptions {
  /** The last offset that was received. Without it the subscription starts with new events. */
  after?: string | null;
  signal?: AbortSignal;
  /** Called when missed events are no longer stored: read the state over REST. */
  onGap?: () => void;
  /** Called when the subscription opens, at first and after each reconnection. */
  onOpen?: () => void;
}

/** One connection for any number of channels. It reconnects and resumes automatically. */
export interface Socket {
  /**
   * Iterates over the events of `account`, `conversation:<id>`, `document:<id>` or `image:<id>`, without gaps across lost
   * connections. Ends with its channel, or when `signal` fires. @throws ApiError when the service refuses
   */
  subscribe(channel: string, options?: SubscribeOptions): AsyncGenerator<ChannelEvent, void, void>;
  /**
   * Starts a spoken turn, one at a time, in a conversation that `subscribe` follows. A lost connection ends the turn.
   * @throws ConnectionError without an open subscription to it, TypeError while another turn is in progress
   */
  voice(conversationId: string, options: VoiceOptions): VoiceTurn;
  /** Closes the connection and ends all subscriptions. */
  close(): void;
}

interface Subscription {
  channel: string;
  /** Whether the service accepted it on the current connection. */
  isOpen: boolean;
  after: string | null;
  queue: ChannelEvent[];
  /** The last events that were received: some may be repeated after a reconnection. */
  seen: string[];
  options: SubscribeOptions;
  /** Set when the subscription has ended; `error` is null when it ended normally. */
  end: { error: Error | null } | null;
  wake: () => void;
}

interface Frame {
  op: string;
  id?: string;
  resumed?: string;
  offset?: string | null;
  type?: string;
  created_at?: string;
  data?: Record<string, unknown>;
  code?: ErrorCode;
  message?: string;
  reconnect_after_ms?: number;
}

const firstDelayMs = 250;
const longestDelayMs = 8_000;
/** Close codes after which reconnecting would fail too. */
const finalCodes: Readonly<Record<number, ErrorCode>> = { 4400: 'invalid_request' };
const maxRefusals = 3;
const keptOffsets = 50;

export function createSocket({ baseUrl, credential }: ClientOptions, options: SocketOptions): Socket {
  const WebSocket = webSocketOf(options);
  const url = `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/v1/socket`;
  const idleMs = options.idleMs ?? 60_000;
  const subscriptions = new Map<string, Subscription>();
  const closed = new AbortController();
  let current: Line | null = null;
  let isReady = false;
  let isRunning = false;
  let lastId = 0;
  let turn: ReturnType<typeof createTurn> | null = null;

  const send = (frame: object | Uint8Array): void => current?.send(frame);
  const open = (id: string, { channel, after }: Subscription): void =>
    send({ op: 'subscribe', id, channel, ...(after === null ? {} : { after }) });

  function finish(id: string, error: Error | null): void {
    const subscription = subscriptions.get(id);
    if (!subscription) return;
    subscriptions.delete(id);
    subscription.end = { error };
    subscription.wake();
  }

  function endTurn(error: Error | null): void {
    turn?.end(error);
    turn = null;
  }

  function receive(frame: Frame): number | null {
    const { op, id = '' } = frame;
    const subscription = subscriptions.get(id);
    if (op === 'ready') {
      isReady = true;
      for (const [known, one] of subscriptions) open(known, one);
    }
    if (op === 'going_away') return frame.reconnect_after_ms ?? 0;
    if (!subscription) return null;
    if (op === 'subscribed') noteSubscribed(subscription, frame);
    else if (op === 'event') enqueue(subscription, frame);
    else if (op === 'voice.ended' || (op === 'error' && subscription.isOpen)) {
      endTurn(frame.code === undefined ? null : refusal(frame.code, frame.message));
    } else if (frame.code === 'unavailable' || (op === 'error' && frame.code === 'rate_limited')) {
      subscription.isOpen = false;
      setTimeout(() => subscriptions.get(id) === subscription && isReady && open(id, subscription), longestDelayMs);
    } else if (op === 'error' || op === 'ended') {
      finish(id, frame.code === undefined ? null : refusal(frame.code, frame.message));
    }
    return null;
  }

  /** Resolves when the connection is lost, with the code of the close and how long the service asks to wait. */
  function connectOnce(token: string): Promise<{ code: number; waitMs: number; wasReady: boolean }> {
    return new Promise((resolve) => {
      let waitMs = 0;
      const leave = (): void => current?.close();
      closed.signal.addEventListener('abort', leave);
      current = openLine<Frame>({
        WebSocket,
        url,
        idleMs,
        first: { op: 'connect', token },
        onFrame: (frame) => (waitMs = receive(frame) ?? waitMs),
        onSound: (sound) => turn?.receive(sound),
        onLost: (code) => {
          const wasReady = isReady;
          isReady = false;
          current = null;
          for (const subscription of subscriptions.values()) subscription.isOpen = false;
          endTurn(new ConnectionError('The connection was lost.'));
          closed.signal.removeEventListener('abort', leave);
          resolve({ code, waitMs, wasReady });
        },
      });
    });
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let failures = 0;
    let refusals = 0;
    while (subscriptions.size > 0 && !closed.signal.aborted) {
      const token = typeof credential === 'function' ? await credential() : credential;
      if (token === undefined) return endAll(new ApiError('No credential is set.', details('unauthenticated')));
      const { code, waitMs, wasReady } = await connectOnce(token);
      failures = wasReady ? 0 : failures + 1;
      refusals = code === 4401 && !wasReady ? refusals + 1 : 0;
      const final = finalCodes[code] ?? (refusals === maxRefusals ? 'unauthenticated' : undefined);
      if (final) return endAll(refusal(final, `The socket was closed with ${code}.`));
      const backoffMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + Math.random() / 2);
      if (!closed.signal.aborted) await pause(Math.max(waitMs, backoffMs), closed.signal).catch(() => undefined);
    }
    isRunning = false;
  }

  function endAll(error: Error | null): void {
    isRunning = false;
    for (const id of subscriptions.keys()) finish(id, error);
  }

  async function* subscribe(channel: string, given: SubscribeOptions = {}): AsyncGenerator<ChannelEvent, void, void> {
    if (closed.signal.aborted) throw new ConnectionError('The socket is closed.');
    const id = String(++lastId);
    const { signal } = given;
    const subscription = newSubscription(channel, given);
    subscriptions.set(id, subscription);
    const stop = (): void => finish(id, null);
    signal?.addEventListener('abort', stop, { once: true });
    if (isReady) open(id, subscription);
    else run().catch((error: unknown) => endAll(error as Error));
    try {
      yield* eventsOf(subscription);
    } finally {
      signal?.removeEventListener('abort', stop);
      if (subscriptions.delete(id) && isReady) send({ op: 'unsubscribe', id });
      // Without a subscription there is no reason to keep the connection open.
      if (subscriptions.size === 0) current?.close();
    }
  }

  function voice(conversationId: string, given: VoiceOptions): VoiceTurn {
    const channel = `conversation:${conversationId}`;
    const [id] = [...subscriptions].find(([, one]) => one.channel === channel && one.isOpen) ?? [];
    if (id === undefined) throw new ConnectionError('The conversation is not followed. Subscribe to it first.');
    if (turn) throw new TypeError('A turn is in progress. Cancel it first.');
    turn = createTurn(id, given, send);
    return turn.turn;
  }

  return {
    subscribe,
    voice,
    close: () => {
      closed.abort();
      endAll(null);
    },
  };
}

const newSubscription = (channel: string, options: SubscribeOptions): Subscription => ({
  channel,
  isOpen: false,
  after: options.after ?? null,
  queue: [],
  seen: [],
  options,
  end: null,
  wake: () => undefined,
});

function noteSubscribed(subscription: Subscription, { offset = null, resumed }: Frame): void {
  subscription.isOpen = true;
  subscription.after = offset;
  subscription.options.onOpen?.();
  if (resumed === 'gap') subscription.options.onGap?.();
}

/** Adds an event to the queue, unless it was received before a reconnection. */
function enqueue(subscription: Subscription, frame: Frame): void {
  const { type = '', offset = null, created_at, data = {} } = frame;
  const event = `${type} ${offset}`;
  if (offset !== null && subscription.seen.includes(event)) return;
  subscription.seen = [...subscription.seen.slice(-keptOffsets), event];
  subscription.after = offset ?? subscription.after;
  subscription.queue.push({ type, offset, ...(created_at === undefined ? {} : { created_at }), data });
  subscription.wake();
}

/** Yields the events of a subscription until it ends. @throws its error */
async function* eventsOf(subscription: Subscription): AsyncGenerator<ChannelEvent, void, void> {
  for (;;) {
    const event = subscription.queue.shift();
    if (event) yield event;
    else if (subscription.end) {
      if (subscription.end.error !== null) throw subscription.end.error;
      return;
    } else await new Promise<void>((resolve) => (subscription.wake = resolve));
  }
}

const details = (code: ErrorCode) => ({ status: null, code, details: [], requestId: null, retryAfterSeconds: null });

const refusal = (code: ErrorCode, message = ''): ApiError => new ApiError(message, details(code));

function webSocketOf({ WebSocket = globalThis.WebSocket }: SocketOptions): WebSocketConstructor {
  if (typeof WebSocket !== 'function') throw new TypeError('This runtime has no WebSocket. Pass one as an option.');
  return WebSocket;
}
