/** A message on a simulated platform, as shown by the development routes. */
export interface SimulatedMessage {
  id: string;
  channelId: string;
  author: string;
  text: string;
  fromBot: boolean;
  createdAt: Date;
}

/** A message that a person writes on a simulated platform. */
export interface PersonWrites {
  /** Bot token of the integration. */
  token: string;
  /** Id of the guild or workspace. */
  place: string;
  /** Defaults to `general`, and for Telegram to the private chat with the author. */
  channelId?: string;
  author: string;
  text: string;
  /** Whether the message addresses the bot of `token` by name. */
  mention?: boolean;
  /** Whether the message has a voice message or a picture, as the platform has it. */
  attachment?: boolean;
}

/** Interface of a simulated platform for the development routes. */
export interface SimulatedPlatform {
  write(message: PersonWrites): SimulatedMessage;
  /** Returns the messages that the bot of `token` sees in the guild or workspace, oldest first. */
  messages(bot: { token: string; place: string; channelIds?: readonly string[] }): SimulatedMessage[];
  /** Returns whether a message written now reaches the bot. */
  isConnected(bot: { token: string }): boolean;
}

/** A fault that makes the next matching calls fail as on the platform. */
export interface Fault {
  /** Substring of the path. */
  when: string;
  status: number;
  /** Seconds to wait; null omits them. */
  retryAfterSeconds?: number | null;
  /** Error code of Slack, instead of `ratelimited`. */
  error?: string;
  /** Number of calls that fail; defaults to 1. */
  times?: number;
  /** Whether the call is performed before it fails, so that the caller does not know its outcome. */
  afterEffect?: boolean;
}

export interface Faults {
  add: (fault: Fault) => void;
  take: (path: string) => Fault | undefined;
}

export function createFaults(): Faults {
  const faults: Fault[] = [];
  return {
    add: (fault) => void faults.push({ times: 1, ...fault }),
    take(path) {
      const fault = faults.find(({ when, times = 0 }) => times > 0 && path.includes(when));
      if (fault) fault.times = (fault.times ?? 1) - 1;
      return fault;
    },
  };
}

/** Creates a log that keeps the newest messages. */
export function createChatLog(keep = 2_000) {
  const messages: SimulatedMessage[] = [];
  return {
    messages: messages as readonly SimulatedMessage[],
    add(message: SimulatedMessage) {
      messages.push(message);
      if (messages.length > keep) messages.shift();
    },
  };
}
