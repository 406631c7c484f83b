/** A message on a simulated platform, as the development surface shows it. */
export interface SimulatedMessage {
  id: string;
  channelId: string;
  author: string;
  text: string;
  fromBot: boolean;
  createdAt: Date;
}

/** A person who writes on a simulated platform. */
export interface PersonWrites {
  /** Whose integration it is about. */
  token: string;
  /** Guild or workspace. */
  place: string;
  /** Telegram: the private chat with the author when omitted. */
  channelId?: string;
  author: string;
  text: string;
  /** Addresses the bot of `token` by name. */
  mention?: boolean;
}

/** What every simulated platform can do for a person who tries it out. */
export interface SimulatedPlatform {
  write(message: PersonWrites): SimulatedMessage;
  /** What the bot of `token` can see in the place, oldest first. */
  messages(bot: { token: string; place: string; channelIds?: readonly string[] }): SimulatedMessage[];
}

/** Makes the next matching calls fail like the platform would. */
export interface Fault {
  /** A part of the path. */
  when: string;
  status: number;
  retryAfterSeconds?: number;
  /** Default 1. */
  times?: number;
  /** Does what was asked before it fails: the caller does not know. */
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

/** Messages by channel, the oldest forgotten. */
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
