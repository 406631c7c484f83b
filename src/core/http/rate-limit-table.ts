import { z } from 'zod';

const perMinute = z.int().min(1).max(10_000_000);

/** Requests a minute and account. */
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
  /** Requests a minute and credential, by plan. */
  free: perMinute.default(600),
  plus: perMinute.default(1_200),
  pro: perMinute.default(3_000),
  creator: perMinute.default(6_000),
  /** Requests a minute and address without a credential. */
  anonymous: perMinute.default(300),
  /** Speech made and speech read count by account, and do not count above. */
  tts: byPlan(100, 1_000),
  stt: byPlan(60, 600),
  /** Requests to make images, and uploads of images, count likewise. */
  images: byPlan(10, 10),
  imageUploads: byPlan(30, 60),
  /** Requests for embeddings count likewise. */
  embeddings: byPlan(60, 300),
  /** Follows, likes, blocks, mutes, shares and changes of the public profile count likewise. */
  socialWrites: byPlan(60, 60),
  /** Attempts to follow per account. An account that exceeds it is considered a bot: more attempts are refused and a case is opened. */
  followsPerHour: perMinute.default(1_000),
  /** Reports of things that may not be allowed, by account, and without a credential by address. */
  reportsPerHour: perMinute.default(10),
  anonymousReportsPerHour: perMinute.default(5),
  /** Messages in rooms count likewise. */
  roomMessages: byPlan(60, 60),
  /** Failed logins for one address and e-mail before the pair is locked, and for how many seconds. */
  failedLogins: z.int().min(1).default(10),
  failedLoginWindowSeconds: z.int().min(1).default(900),
});

export type RateLimitTable = z.output<typeof tableSchema>;

/** A limit of its own, in place of the one of all other requests. */
export type OwnLimit = 'tts' | 'stt' | 'images' | 'imageUploads' | 'embeddings' | 'socialWrites' | 'roomMessages';

/** The built-in limits with those of `RATE_LIMITS` (JSON) over them. @throws Error naming what is wrong */
export function parseRateLimits(json: string | undefined): RateLimitTable {
  const result = tableSchema.safeParse(json === undefined ? {} : JSON.parse(json));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}
