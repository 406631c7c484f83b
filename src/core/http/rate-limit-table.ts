import { z } from 'zod';

const perMinute = z.int().min(1).max(10_000_000);

/** Limits per account, in requests a minute. */
const byPlan = (lower: number, higher: number) =>
  z
    .strictObject({
      free: perMinute.default(lower),
      plus: perMinute.default(lower),
      pro: perMinute.default(higher),
      creator: perMinute.default(higher),
    })
    .prefault({});

const tableSchema = z.strictObject({
  /** Requests a minute for each credential, by plan. */
  free: perMinute.default(600),
  plus: perMinute.default(1_200),
  pro: perMinute.default(3_000),
  creator: perMinute.default(6_000),
  /** Requests a minute for each address, without a credential. */
  anonymous: perMinute.default(300),
  /** Speech synthesis and speech recognition, by account. They do not count towards the general limits. */
  tts: byPlan(100, 1_000),
  stt: byPlan(60, 600),
  /** Image generations and image uploads, by account. They do not count towards the general limits. */
  images: byPlan(10, 10),
  imageUploads: byPlan(30, 60),
  /** Requests for embeddings, by account. They do not count towards the general limits. */
  embeddings: byPlan(60, 300),
  /** Queries of documents, each of which embeds a question, by account. They do not count towards the general limits. */
  knowledgeQueries: byPlan(120, 600),
  /**
   * Follows, likes, blocks, mutes, shares, continued shares and changes of the public profile, by account. They do not
   * count towards the general limits.
   */
  socialWrites: byPlan(60, 60),
  /**
   * Attempts to follow for each account. An account that exceeds this is treated as a bot: further attempts are
   * rejected and a moderation case is opened.
   */
  followsPerHour: perMinute.default(1_000),
  /** Changes of agents for each account. Each keeps the whole agent in its event for weeks. */
  agentChangesPerHour: perMinute.default(500),
  /** Abuse reports: for each account and, without a credential, for each address. */
  reportsPerHour: perMinute.default(10),
  anonymousReportsPerHour: perMinute.default(5),
  /** Messages in rooms, by account. They do not count towards the general limits. */
  roomMessages: byPlan(60, 60),
  /**
   * Mails that strangers can cause (verification, password reset), for each mailbox: what follows a plus sign, and dots,
   * do not count.
   */
  mailsPerMailboxHour: perMinute.default(20),
  /** Registrations for each domain of an e-mail address, except those of public mail providers. */
  registrationsPerDomainHour: perMinute.default(1_000),
  /** Registrations for each public IP address (IPv6: its /64). */
  registrationsPerAddressHour: perMinute.default(300),
  /**
   * Number of failed logins for a pair of address and e-mail before the pair is locked, and the duration in seconds.
   */
  failedLogins: z.int().min(1).default(10),
  failedLoginWindowSeconds: z.int().min(1).default(900),
});

export type RateLimitTable = z.output<typeof tableSchema>;

/** Limits that replace the general limit for some requests. */
export type OwnLimit =
  | 'tts'
  | 'stt'
  | 'images'
  | 'imageUploads'
  | 'embeddings'
  | 'knowledgeQueries'
  | 'socialWrites'
  | 'roomMessages';

/**
 * Returns the built-in limits, overridden by those of `RATE_LIMITS` (JSON).
 * @throws Error that lists every invalid value
 */
export function parseRateLimits(json: string | undefined): RateLimitTable {
  const result = tableSchema.safeParse(json === undefined ? {} : JSON.parse(json));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}
