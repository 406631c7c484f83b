/** Largest size of the pages that one feed, all feeds of an account, and all feeds of a process keep. */
const maxFeedBytes = 1_048_576;
const maxAccountBytes = 4_194_304;
const maxProcessBytes = 67_108_864;

/** Size of the pages that a feed keeps for readers that are behind, as a part of that of its account and process. */
export interface FeedMemory {
  /** Notes that the feed keeps more bytes, or fewer if negative. */
  add(bytes: number): void;
  /** Whether the feed, its account or the process keeps too much. The feed then drops its own oldest pages. */
  readonly isOver: boolean;
}

const accounts = new Map<string, number>();
let processBytes = 0;

/** Creates the memory of one feed. Feeds with the same `account` share a limit. */
export function createFeedMemory(account: string): FeedMemory {
  let feedBytes = 0;
  return {
    add(bytes) {
      feedBytes += bytes;
      processBytes += bytes;
      const ofAccount = (accounts.get(account) ?? 0) + bytes;
      if (ofAccount > 0) accounts.set(account, ofAccount);
      else accounts.delete(account);
    },
    get isOver() {
      return (
        feedBytes > maxFeedBytes || (accounts.get(account) ?? 0) > maxAccountBytes || processBytes > maxProcessBytes
      );
    },
  };
}

/** Returns the bytes that the feeds of an account keep. */
export const keptBytesOf = (account: string): number => accounts.get(account) ?? 0;
