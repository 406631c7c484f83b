import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { SafeFetch } from '../../core/http/safe-fetch.ts';
import { createFairQueue } from '../../core/waiting/fair-queue.ts';
import { ImageFailure } from '../encoding/encoder.ports.ts';
import { imageFormatOf } from '../encoding/image-format.ts';
import { maxImageBytes } from '../encoding/image-limits.ts';

declare module '../../core/ctx.ts' {
  interface Ports {
    /** Fetches pictures from URLs that users have chosen. */
    pictureFetch: SafeFetch;
  }
}

/** Largest numbers of pictures that one process fetches concurrently: in total, for an account and from a host. */
const maxFetches = 16;
const maxFetchesPerAccount = 2;
const maxFetchesPerHost = 4;
/** Largest number of an account's pictures that wait to be fetched; further ones are rejected. */
const maxWaitingPerAccount = 10;
const maxWaitMs = 5_000;
const fetchTimeoutMs = 3_000;
/** How long nothing is fetched from a host after it did not respond in time. */
const pauseMs = 60_000;
const maxPaused = 1_000;
const checkTimeoutMs = 10_000;

const accounts = createFairQueue({ total: maxFetches, perAccount: maxFetchesPerAccount });
const hosts = createFairQueue({ total: Infinity, perAccount: maxFetchesPerHost });
/** Number of running and waiting fetches by account. */
const waiting = new Map<string, number>();
/** Hosts that did not respond in time, with the end of their pause. */
const paused = new Map<string, number>();

/** Returns whether the host of a URL did not respond in time a moment ago. */
export function isPaused(url: string): boolean {
  const until = paused.get(hostOf(url)) ?? 0;
  return until > performance.now();
}

const hostOf = (url: string): string => new URL(url).host;

function pause(host: string): void {
  paused.delete(host);
  paused.set(host, performance.now() + pauseMs);
  const [oldest] = paused.keys();
  if (paused.size > maxPaused && oldest !== undefined) paused.delete(oldest);
}

/**
 * Fetches an external picture and returns it as a WebP image without metadata, 256 pixels wide and high. Null when there
 * is no usable picture, or when the content check flags it. Slow hosts delay only the account that named them: an account
 * and a host have few fetches at a time.
 * @throws AppError `unavailable` when too many pictures of the account wait, and when the picture cannot be checked
 */
export async function fetchPicture(ctx: Ctx, url: string, ownerId: string): Promise<Buffer | null> {
  const count = waiting.get(ownerId) ?? 0;
  if (count >= maxWaitingPerAccount) throw new AppError('unavailable');
  waiting.set(ownerId, count + 1);
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    // The account's turn comes first: within a host the fetches of all accounts are first-in, first-out.
    const picture = await accounts
      .run(ownerId, signal, () => hosts.run(hostOf(url), signal, () => read(ctx, url)))
      .catch((error: unknown) => {
        throw signal.aborted && error === signal.reason ? new AppError('unavailable', { cause: error }) : error;
      });
    return picture && (await isAllowed(ctx, picture)) ? picture : null;
  } finally {
    const left = (waiting.get(ownerId) ?? 1) - 1;
    if (left > 0) waiting.set(ownerId, left);
    else waiting.delete(ownerId);
  }
}

async function isAllowed(ctx: Ctx, image: Buffer): Promise<boolean> {
  const content = { image, mediaType: 'image/webp' } as const;
  return !(await ctx.ports.contentCheck.check(content, AbortSignal.timeout(checkTimeoutMs))).flagged;
}

async function read(ctx: Ctx, url: string): Promise<Buffer | null> {
  if (isPaused(url)) return null;
  const { status, fault, body } = await ctx.ports.pictureFetch.get({
    url,
    headers: { accept: 'image/webp,image/png,image/jpeg,image/gif', 'user-agent': 'agent-chat-service' },
    maxBytes: maxImageBytes,
    timeoutMs: fetchTimeoutMs,
  });
  if (fault === 'timeout') pause(hostOf(url));
  if (status !== 200 || !body || imageFormatOf(body) === null) return null;
  try {
    const request = { read: async () => body, kind: 'avatar', isGenerated: false, only: 'medium' } as const;
    return (await ctx.ports.imageEncoder.encode(request)).variants.medium ?? null;
  } catch (error) {
    if (error instanceof ImageFailure) return null;
    throw error;
  }
}
