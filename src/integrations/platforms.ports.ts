/** The chat platforms by kind: community server (Discord), messenger (Telegram), workspace (Slack). */
export const platformKinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
export type PlatformKind = (typeof platformKinds)[number];

/**
 * What a platform's failure means. `auth`: the token does not hold. `refused`: this can't work until somebody changes
 * something. `rate_limited`: not before `retryAfterMs`. `unknown`: nobody knows whether it was done. `unavailable`: it was
 * not done, try again.
 */
export type PlatformErrorKind = 'auth' | 'refused' | 'rate_limited' | 'unknown' | 'unavailable';

/** The one error that a ChatPlatform throws on purpose. `message` is for the owner of the bot and holds no secret. */
export class PlatformError extends Error {
  readonly kind: PlatformErrorKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: PlatformErrorKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'PlatformError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A bot's credential and the guild or workspace that it works in (empty for chat_messenger). */
export interface Bot {
  token: string;
  place: string;
}

/** Where an answer goes. JSON. */
export interface ChatTarget {
  channelId: string;
  /** A thread that is not a channel of its own. */
  threadId?: string;
  /** The message that is answered, for platforms that show it as a reply. */
  replyTo?: string;
}

/** A message that a platform delivered. Bots' own and other bots' messages never become one. */
export interface InboundMessage {
  /** The platform's name for the message: the same however often and by whichever way it comes. */
  eventId: string;
  /** The channel, or the channel that its thread belongs to. */
  channelId: string;
  /** The channel or thread in which the person is answered. */
  chatId: string;
  personId: string;
  text: string;
  /** The bot was mentioned, replied to, or written to in private. */
  isDirected: boolean;
  target: ChatTarget;
}

/** What a connection needs to go on where another ended. JSON, no secret. */
export type ConnectionSession = Readonly<Record<string, string | number>>;

export interface ConnectOptions {
  bot: Bot;
  session: ConnectionSession | null;
  signal: AbortSignal;
  /** The connection is up. `botUserId` is the bot's own id on the platform. */
  onUp: (botUserId: string) => Promise<void>;
  /**
   * Called with one message after the other. Once it has resolved the message is claimed, and only then the platform
   * is told so; `session` stands behind this message. @throws when it could not be claimed: the connection ends
   */
  onMessage: (message: InboundMessage, session: ConnectionSession | null) => Promise<void>;
  /** The session changed without a message. */
  onSession: (session: ConnectionSession | null) => void;
}

export interface OutboundMessage {
  target: ChatTarget;
  /** In the platform's own markup (markup.ts), within its limit. */
  text: string;
  /** Names the message, so that sending it again is not a second one where the platform can tell. */
  key: string;
  /** An earlier attempt ended without anyone knowing whether the platform had taken it. */
  maybeSent: boolean;
}

/** One chat platform, through its SDK. */
export interface ChatPlatform {
  /** The platform itself tells a message that is sent again with the same key, so nothing need be written down before. */
  readonly tellsRepetitions: boolean;
  /**
   * Holds a connection until `signal` fires (then it resolves) or it breaks (then it rejects with a PlatformError). Does
   * not connect again by itself.
   */
  connect(options: ConnectOptions): Promise<void>;
  /** Sends once. Answers the platform's id of the message, null when an earlier attempt may have done it. @throws PlatformError */
  send(bot: Bot, message: OutboundMessage): Promise<string | null>;
  /** Shows for some seconds that the bot is writing. @throws PlatformError */
  showTyping(bot: Bot, target: ChatTarget): Promise<void>;
  /** Where a test message goes when no channel is known; null where there is no such place. @throws PlatformError */
  defaultTarget?(bot: Bot): Promise<ChatTarget | null>;
}

/** A request that a platform made to the service, its body as it came. */
export interface PlatformRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** What such a request says: a challenge to be echoed, or a message for the bots of a workspace. */
export type PlatformCall =
  | { kind: 'challenge'; challenge: string }
  /** `botUserIds`: the bots that it is for; empty when it does not say. */
  | { kind: 'message'; place: string; botUserIds: string[]; message: InboundMessage }
  | { kind: 'other' };

/** chat_workspace does not keep a connection: it calls. */
export interface CallingPlatform extends ChatPlatform {
  /** @throws AppError `unauthenticated` for a request that is unsigned, forged or stale, `invalid_request` for nonsense */
  readCall(request: PlatformRequest): PlatformCall;
}

export interface ChatPlatforms {
  chat_server: ChatPlatform;
  chat_messenger: ChatPlatform;
  chat_workspace: CallingPlatform;
}

declare module '../core/ctx.ts' {
  interface Ports {
    platforms: ChatPlatforms;
    /** The connections that this process holds. */
    connections: {
      /** Look now which ones are to be opened or closed. */
      reconcile(): void;
    };
  }
}
