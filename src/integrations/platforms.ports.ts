/** The chat platforms by kind: community server (Discord), messenger (Telegram), workspace (Slack). */
export const platformKinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
export type PlatformKind = (typeof platformKinds)[number];

/**
 * Kind of a platform's failure. `auth`: the token is not valid. `refused`: fails until the owner changes something.
 * `rate_limited`: retry after `retryAfterMs`. `unknown`: the call may have had its effect. `unavailable`: it had none, retry.
 */
export type PlatformErrorKind = 'auth' | 'refused' | 'rate_limited' | 'unknown' | 'unavailable';

/** The only error that a ChatPlatform throws on purpose. `message` is for the owner of the bot and contains no secret. */
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

/** A bot's credential and its guild or workspace (empty for chat_messenger). */
export interface Bot {
  token: string;
  place: string;
}

/** Destination of a reply. JSON. */
export interface ChatTarget {
  channelId: string;
  /** A thread that is not a channel of its own. */
  threadId?: string;
  /** The message to reply to, on platforms that show replies. */
  replyTo?: string;
}

/** A message of a person that a platform delivered; messages of bots are excluded. */
export interface InboundMessage {
  /** Identifies the message: the same for every delivery. */
  eventId: string;
  /** The channel, or the parent channel of its thread. */
  channelId: string;
  /** The channel or thread of the reply. */
  chatId: string;
  personId: string;
  text: string;
  /** The bot was mentioned, replied to, or written to in private. */
  isDirected: boolean;
  target: ChatTarget;
}

/** State from which another connection can resume. JSON, no secret. */
export type ConnectionSession = Readonly<Record<string, string | number>>;

export interface ConnectOptions {
  bot: Bot;
  session: ConnectionSession | null;
  signal: AbortSignal;
  /** The connection is up. `botUserId` is the bot's own id on the platform. */
  onUp: (botUserId: string) => Promise<void>;
  /**
   * Called with one message after another. It resolves once the message is claimed, and only then is the platform
   * notified. A connection resumed from `session` continues after this message. @throws when it could not be claimed:
   * the connection ends
   */
  onMessage: (message: InboundMessage, session: ConnectionSession | null) => Promise<void>;
  /** The session changed without a message. */
  onSession: (session: ConnectionSession | null) => void;
}

export interface OutboundMessage {
  target: ChatTarget;
  /** In the platform's own markup (markup.ts), within its limit. */
  text: string;
  /** Idempotency key of the message, for platforms that support one. */
  key: string;
  /** The outcome of an earlier attempt is unknown. */
  maybeSent: boolean;
}

/** A channel in which a bot can be mentioned. */
export interface BotChannel {
  id: string;
  name: string;
  /** The bot is in it; elsewhere it receives nothing. */
  isMember: boolean;
}

/** A server or workspace with its channels, as a platform lists them to a bot. */
export interface BotPlace {
  id: string;
  name: string;
  channels: BotChannel[];
}

/** Where a bot may write. Bounded; `isComplete` is false when the platform has more. */
export interface BotPlaces {
  botName: string;
  places: BotPlace[];
  isComplete: boolean;
}

/** One chat platform, through its SDK. */
export interface ChatPlatform {
  /** The platform ignores a message sent again with the same key, so nothing is recorded before sending. */
  readonly detectsDuplicates: boolean;
  /**
   * Holds a connection until `signal` fires (then it resolves) or it breaks (then it rejects with a PlatformError). Does
   * not reconnect.
   */
  connect(options: ConnectOptions): Promise<void>;
  /** Sends once. Returns the platform's id of the message; null when an earlier attempt may have sent it. @throws PlatformError */
  send(bot: Bot, message: OutboundMessage): Promise<string | null>;
  /** Shows a typing indicator for some seconds. @throws PlatformError */
  showTyping(bot: Bot, target: ChatTarget): Promise<void>;
  /** Lists the places of the bot with this token, which is kept nowhere. A messenger has none. @throws PlatformError */
  listPlaces(token: string): Promise<BotPlaces>;
  /** Destination of a test message when no channel is known; null when there is none. @throws PlatformError */
  defaultTarget?(bot: Bot): Promise<ChatTarget | null>;
}

/** A request of a platform to the service, with its raw body. */
export interface PlatformRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Content of such a request: a challenge to echo, or a message for the bots of a workspace. */
export type PlatformCall =
  | { kind: 'challenge'; challenge: string }
  /** `botUserIds`: the bots that it is for; empty when unknown. */
  | { kind: 'message'; place: string; botUserIds: string[]; message: InboundMessage }
  | { kind: 'other' };

/** chat_workspace has no connection: it calls the service. */
export interface CallingPlatform extends ChatPlatform {
  /** @throws AppError `unauthenticated` for a request that is unsigned, forged or stale, `invalid_request` for a malformed one */
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
      /** Opens and closes connections now instead of at the next interval. */
      reconcile(): void;
    };
  }
}
