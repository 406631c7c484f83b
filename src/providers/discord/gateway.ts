import { setTimeout as delay } from 'node:timers/promises';
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from '@discordjs/core';
import type { REST } from '@discordjs/rest';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import type { ConnectionSession } from '../../integrations/platforms.ports.ts';
import { ofCloseCode, toPlatformError } from './errors.ts';

interface GatewayOptions {
  rest: REST;
  token: string;
  session: ConnectionSession | null;
  signal: AbortSignal;
  onReady: (botUserId: string) => Promise<void>;
  /** One after the other; `session` stands behind this event. */
  onDispatch: (payload: GatewayDispatchPayload, session: ConnectionSession | null) => Promise<void>;
  onSession: (session: ConnectionSession | null) => void;
}

const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;
/** After these the session can't be resumed. */
const sessionEnding: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidSeq,
  GatewayCloseCodes.SessionTimedOut,
];
/** Not 1000: Discord then keeps the session, and the next worker resumes it. */
const resumableClose = 4200;
const closeLimitMs = 2_000;
/** How far behind a session may be kept: Discord replays what came since, which costs less than a write for each event. */
const keepSessionEveryMs = 5_000;

/**
 * One gateway connection, resumed from `session` where Discord still knows it. It ends with the socket, instead of
 * reconnecting inside the SDK every half second: whoever called decides on the pause and keeps the session.
 */
export async function holdGateway(options: GatewayOptions): Promise<void> {
  const { rest, token, signal } = options;
  const end = Promise.withResolvers<void>();
  let ended = false;
  let greeted = false;
  let session = toSessionInfo(options.session);
  let botUserId = String(options.session?.['botUserId'] ?? '');
  let events = Promise.resolve();
  let dealtWith: ConnectionSession | null = null;
  let kept: ConnectionSession | null = null;
  const keepSession = () => {
    if (dealtWith && dealtWith !== kept && session) options.onSession((kept = dealtWith));
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
      return ended ? never<SessionInfo | null>() : session;
    },
    updateSessionInfo: (_shard, info) => {
      if (ended) return;
      session = info;
      if (!info) options.onSession(null);
    },
  });
  const inOrder = (work: () => Promise<void>) => {
    events = events.then(work).catch(finish);
  };
  const up = () => inOrder(() => (ended ? Promise.resolve() : options.onReady(botUserId)));
  manager.on(WebSocketShardEvents.Hello, () => void (greeted = true));
  manager.on(WebSocketShardEvents.Ready, ({ user }) => {
    botUserId = user.id;
    up();
  });
  manager.on(WebSocketShardEvents.Resumed, up);
  manager.on(WebSocketShardEvents.Dispatch, (payload) => {
    const behind = session && { ...fromSessionInfo(session, botUserId), sequence: payload.s };
    inOrder(async () => {
      if (ended) return;
      if (payload.t === GatewayDispatchEvents.Ready) options.onSession(behind);
      else await options.onDispatch(payload, behind);
      dealtWith = behind;
    });
  });
  manager.on(WebSocketShardEvents.Closed, (code) => {
    if (sessionEnding.includes(code)) {
      session = null;
      options.onSession(null);
    }
    finish(ofCloseCode(code));
  });
  manager.on(WebSocketShardEvents.Error, () => undefined);
  manager.on(WebSocketShardEvents.SocketError, (error) => finish(error));
  const abort = () => finish();
  signal.addEventListener('abort', abort, { once: true });
  const keeping = setInterval(keepSession, keepSessionEveryMs);
  try {
    signal.throwIfAborted();
    manager.connect().catch(finish);
    await end.promise;
  } finally {
    signal.removeEventListener('abort', abort);
    clearInterval(keeping);
    await events;
    keepSession();
    // The host to resume at may be gone for good; the usual one knows the session too, or says that nobody does.
    if (session && !greeted && !signal.aborted)
      options.onSession({ ...fromSessionInfo(session, botUserId), resumeUrl: '' });
    await Promise.race([destroy(manager), delay(closeLimitMs, undefined, { ref: false })]);
  }
}

/** Waits for Discord's goodbye. */
const destroy = async (manager: WebSocketManager): Promise<void> => {
  await Promise.resolve(manager.destroy({ code: resumableClose })).catch(() => undefined);
};

/** The SDK asks for its session before it connects again; without an answer it does not. */
const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

/** `resumeUrl` is empty where the usual address is to be tried. */
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
