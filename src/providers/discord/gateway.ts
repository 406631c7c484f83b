import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from '@discordjs/core';
import type { REST } from '@discordjs/rest';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { withTimeout } from '../../core/waiting/with-timeout.ts';
import { type ConnectionSession, PlatformError } from '../../integrations/platforms.ports.ts';
import { errorOfCloseCode, toPlatformError } from './errors.ts';

interface GatewayOptions {
  rest: REST;
  token: string;
  session: ConnectionSession | null;
  signal: AbortSignal;
  onReady: (botUserId: string) => Promise<void>;
  /** Called with one event at a time. A connection resumed from `session` continues after this event. */
  onDispatch: (payload: GatewayDispatchPayload, session: ConnectionSession | null) => Promise<void>;
  /** Stores the session. A connection counts as ready only once its session is stored. */
  onSession: (session: ConnectionSession | null) => Promise<void>;
}

const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;
/** Close codes after which the session cannot be resumed. */
const sessionEnding: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidSeq,
  GatewayCloseCodes.SessionTimedOut,
];
/** Not 1000: with another code Discord keeps the session, and the next worker can resume it. */
const resumableClose = 4200;
const closeLimitMs = 2_000;
/** Maximum number of events of one connection in memory while the database is slower than the incoming messages. */
const maxWaitingEvents = 1_000;
/**
 * Interval for storing the session, in milliseconds. After a crash, Discord replays the events since then, which costs
 * less than a write for each event.
 */
const keepSessionEveryMs = 5_000;

/**
 * Holds one gateway connection, resumed from `session` if Discord still has it. Ends when the socket closes, because
 * the SDK would reconnect every half second; the caller stores the session and decides on the delay.
 * @throws PlatformError
 */
export async function holdGateway(options: GatewayOptions): Promise<void> {
  const { rest, token, signal } = options;
  const end = Promise.withResolvers<void>();
  let ended = false;
  let overflowed = false;
  let waiting = 0;
  let greeted = false;
  let session = toSessionInfo(options.session);
  let botUserId = String(options.session?.['botUserId'] ?? '');
  let events = Promise.resolve();
  let dealtWith: ConnectionSession | null = null;
  let kept: ConnectionSession | null = null;
  const tryToStore = (changed: ConnectionSession | null) =>
    options.onSession(changed).then(
      () => void (kept = changed),
      () => undefined,
    );
  const keepSession = async () => {
    if (dealtWith && dealtWith !== kept && session) await tryToStore(dealtWith);
  };
  const finish = (error?: unknown) => {
    if (ended) return;
    ended = true;
    if (error === undefined) end.resolve();
    else end.reject(toPlatformError(error));
  };
  const manager = new WebSocketManager({
    token,
    intents,
    rest,
    shardCount: 1,
    retrieveSessionInfo: async () => {
      if (session?.resumeURL === '') session = { ...session, resumeURL: (await manager.fetchGatewayInformation()).url };
      return ended || overflowed ? never<SessionInfo | null>() : session;
    },
    updateSessionInfo: (_shard, info) => {
      if (ended || overflowed) return;
      session = info;
      if (!info) inOrder(() => tryToStore(null));
    },
  });
  const inOrder = (work: () => Promise<void>) => {
    if (overflowed) return;
    waiting++;
    events = events
      .then(work)
      .catch(finish)
      .finally(() => waiting--);
    if (waiting < maxWaitingEvents) return;
    // The next connection resumes after the last processed event.
    overflowed = true;
    const error = new PlatformError('unavailable', 'Messages arrive faster than they are processed.');
    events = events.then(() => finish(error));
    void destroy(manager);
  };
  const disconnected = (error: unknown) => {
    if (!overflowed) finish(error);
  };
  const up = () => inOrder(() => (ended ? Promise.resolve() : options.onReady(botUserId)));
  manager.on(WebSocketShardEvents.Hello, () => void (greeted = true));
  manager.on(WebSocketShardEvents.Resumed, up);
  manager.on(WebSocketShardEvents.Dispatch, (payload) => {
    if (payload.t === GatewayDispatchEvents.Ready) botUserId = payload.d.user.id;
    const behind = session && { ...fromSessionInfo(session, botUserId), sequence: payload.s };
    inOrder(async () => {
      if (ended) return;
      if (payload.t === GatewayDispatchEvents.Ready) {
        // Before the connection is reported: the next worker must be able to receive what follows.
        await options.onSession(behind);
        await options.onReady(botUserId);
      } else await options.onDispatch(payload, behind);
      dealtWith = behind;
    });
  });
  manager.on(WebSocketShardEvents.Closed, (code) => {
    if (sessionEnding.includes(code)) {
      session = null;
      inOrder(() => tryToStore(null));
    }
    disconnected(errorOfCloseCode(code));
  });
  manager.on(WebSocketShardEvents.Error, () => undefined);
  manager.on(WebSocketShardEvents.SocketError, disconnected);
  const abort = () => finish();
  signal.addEventListener('abort', abort, { once: true });
  const keeping = setInterval(() => inOrder(keepSession), keepSessionEveryMs);
  try {
    signal.throwIfAborted();
    manager.connect().catch(finish);
    await end.promise;
  } finally {
    signal.removeEventListener('abort', abort);
    clearInterval(keeping);
    await events;
    await keepSession();
    // The resume host may no longer exist. The default host either accepts the session or reports it as invalid.
    if (session && !greeted && !signal.aborted)
      await tryToStore({ ...fromSessionInfo(session, botUserId), resumeUrl: '' });
    await withTimeout(destroy(manager), closeLimitMs, () => undefined);
  }
}

/** Closes the socket and waits for Discord's close frame. */
const destroy = async (manager: WebSocketManager): Promise<void> => {
  await Promise.resolve(manager.destroy({ code: resumableClose })).catch(() => undefined);
};

/**
 * Returns a promise that never settles. The SDK reads its session before it reconnects, so this prevents a reconnect.
 */
const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

/** An empty `resumeUrl` means the default host. */
const toSessionInfo = (session: ConnectionSession | null): SessionInfo | null =>
  session && {
    sessionId: String(session['sessionId']),
    resumeURL: String(session['resumeUrl']),
    sequence: Number(session['sequence']),
    shardId: 0,
    shardCount: 1,
  };

const fromSessionInfo = ({ sessionId, resumeURL, sequence }: SessionInfo, botUserId: string): ConnectionSession => ({
  sessionId,
  resumeUrl: resumeURL,
  sequence,
  botUserId,
});
