/** The chat platforms by kind: community server (Discord), messenger (Telegram), workspace (Slack). */
export const platformKinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
export type PlatformKind = (typeof platformKinds)[number];

/**
 * Kind of a platform failure. `auth`: the token is not valid. `refused`: fails until the owner changes something.
 * `rate_limited`: retry after `retryAfterMs`. `unknown`: the call may have taken effect. `unavailable`: it had no
 * effect, retry.
 */
export type PlatformErrorKind = 'auth' | 'refused' | 'rate_limited' | 'unknown' | 'unavailable';

/**
 * The only error that a ChatPlatform throws deliberately. `message` is for the owner of the bot and contains no
 * secrets.
 */
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

/** Destination of a reply. Must be serializable as JSON. */
export interface ChatTarget {
  channelId: string;
  /** Thread that is not a channel of its own. */
  threadId?: string;
  /** Id of the message to reply to, on platforms that show replies. */
  replyTo?: string;
}

/** A user's message that a platform delivered. Messages of bots are excluded. */
export interface InboundMessage {
  /** Id of the message. It is the same for every delivery. */
  eventId: string;
  /** Id of the channel, or of the parent channel of the thread. */
  channelId: string;
  /** Id of the channel or thread of the reply. */
  chatId: string;
  personId: string;
  text: string;
  /** Whether the bot was mentioned, replied to, or addressed in a private chat. */
  isDirected: boolean;
  /** What it contains that the bot cannot read, such as a voice message or a picture. The text may be empty then. */
  hasAttachment?: boolean;
  /** A command that the service answers itself. */
  command?: 'start' | 'help';
  target: ChatTarget;
}

/** State from which another connection can resume. Serializable as JSON, without secrets. */
export type ConnectionSession = Readonly<Record<string, string | number>>;

export interface ConnectOptions {
  bot: Bot;
  session: ConnectionSession | null;
  signal: AbortSignal;
  /** Called when the connection is up. `botUserId` is the bot's own id on the platform. */
  onUp: (botUserId: string) => Promise<void>;
  /**
   * Called with messages one after another. Resolves once the message is claimed; only then is it acknowledged to the
   * platform. A connection that resumes from `session` continues after this message.
   * @throws when the message could not be claimed, which ends the connection
   */
  onMessage: (message: InboundMessage, session: ConnectionSession | null) => Promise<void>;
  /**
   * Called when the session changed without a message. Resolves once it is stored; a connection that began must not
   * report that it is up before.
   * @throws when it could not be stored
   */
  onSession: (session: ConnectionSession | null) => Promise<void>;
}

export interface OutboundMessage {
  target: ChatTarget;
  /** Text in the platform's markup (markup.ts), within its length limit. */
  text: string;
  /** Idempotency key of the message, for platforms that support one. */
  key: string;
  /** Whether an earlier attempt has an unknown outcome. */
  maybeSent: boolean;
}

/** A channel in which a bot can be mentioned. */
export interface BotChannel {
  id: string;
  name: string;
  /** Whether the bot is in the channel; it receives no messages elsewhere. */
  isMember: boolean;
}

/** A server or workspace with its channels, as a platform lists them for a bot. */
export interface BotPlace {
  id: string;
  name: string;
  channels: BotChannel[];
}

/** Where a bot may write. The list is bounded; `isComplete` is false when the platform has more. */
export interface BotPlaces {
  botName: string;
  places: BotPlace[];
  isComplete: boolean;
}

/** A chat platform, accessed through its SDK. */
export interface ChatPlatform {
  /**
   * Whether the platform ignores a message that is sent again with the same key. If so, nothing is recorded before
   * sending.
   */
  readonly detectsDuplicates: boolean;
  /**
   * Holds a connection until `signal` is aborted (then it resolves) or it breaks (then it rejects with a
   * PlatformError). Does not reconnect.
   */
  connect(options: ConnectOptions): Promise<void>;
  /**
   * Sends a message once. Returns the platform's id of the message; null when an earlier attempt may have sent it.
   * @throws PlatformError
   */
  send(bot: Bot, message: OutboundMessage): Promise<string | null>;
  /** Shows a typing indicator for a few seconds. @throws PlatformError */
  showTyping(bot: Bot, target: ChatTarget): Promise<void>;
  /** Lists the places of the bot with this token, which is not stored. A messenger has none. @throws PlatformError */
  listPlaces(token: string): Promise<BotPlaces>;
  /**
   * Returns the destination of a test message when no channel is known; null when there is none.
   * @throws PlatformError
   */
  defaultTarget?(bot: Bot): Promise<ChatTarget | null>;
}

/** A request of a platform to the service, with its raw body. */
export interface PlatformRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Content of a platform request: a challenge to echo, or a message for the bots of a workspace. */
export type PlatformCall =
  | { kind: 'challenge'; challenge: string }
  /** `botUserIds`: ids of the addressed bots; empty when unknown. */
  | { kind: 'message'; place: string; botUserIds: string[]; message: InboundMessage }
  | { kind: 'other' };

/** A platform without a connection, such as chat_workspace, which sends requests to the service. */
export interface CallingPlatform extends ChatPlatform {
  /**
   * Verifies and parses a request.
   * @throws AppError `unauthenticated` for a request that is unsigned, forged or stale, `invalid_request` for a
   * malformed one
   */
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
    /** Connections that this process holds. */
    connections: {
      /** Opens and closes connections now instead of at the next interval. */
      reconcile(): void;
    };
  }
}
