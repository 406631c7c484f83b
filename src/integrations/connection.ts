import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../core/ctx.ts';
import { openBot } from './bot-token.ts';
import { failIntegration, noteAuthFailure, noteConnected } from './connection-health.ts';
import { type HeldConnection, readSession, writeSession } from './connection-leases.ts';
import { PlatformError } from './platforms.ports.ts';
import { receiveMessage } from './receive-message.ts';

/** A connection that this process holds. */
export interface Connection {
  readonly id: string;
  readonly revision: number;
  /** It has ended by itself: the integration stands in `error`. */
  readonly ended: boolean;
  /** Ends it and waits until nothing of it is left. */
  close(): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** A token that is refused is tried sooner, so that its owner hears of it soon. */
const firstAuthPauseMs = 250;
/** A connection that held so long was a good one: pauses begin anew. */
const goodAfterMs = 60_000;

/** Pause before the connection is opened again, after so many failures in a row (from 1). `random` is in [0, 1). */
export function reconnectPauseMs(failures: number, kind: 'auth' | 'other', random: number): number {
  const firstMs = kind === 'auth' ? firstAuthPauseMs : firstPauseMs;
  return Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestPauseMs) * (0.75 + random / 4));
}

/** Opens a connection and opens it again whenever it breaks, with growing pauses, until it is closed or stands in `error`. */
export function openConnection(newCtx: () => Ctx, holder: string, held: HeldConnection): Connection {
  const controller = new AbortController();
  let ended = false;
  const running = keepOpen(newCtx, holder, held, controller.signal)
    .catch((error: unknown) => {
      newCtx().log.error({ err: error, integrationId: held.id }, 'a platform connection ended for good');
    })
    .finally(() => (ended = true));
  return {
    id: held.id,
    revision: held.revision,
    get ended() {
      return ended;
    },
    async close() {
      controller.abort();
      await running;
    },
  };
}

async function keepOpen(newCtx: () => Ctx, holder: string, held: HeldConnection, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let session = held.session;
  while (!signal.aborted) {
    const startedMs = performance.now();
    try {
      await connectOnce(newCtx, holder, { ...held, session }, signal);
      if (signal.aborted) return;
      throw new PlatformError('unavailable', 'The platform closed the connection.');
    } catch (error) {
      if (signal.aborted) return;
      failures = performance.now() - startedMs > goodAfterMs ? 1 : failures + 1;
      if (await isOver(newCtx(), held.id, error)) return;
      const kind = error instanceof PlatformError && error.kind === 'auth' ? 'auth' : 'other';
      const retryAfterMs = (error instanceof PlatformError && error.retryAfterMs) || 0;
      const pauseMs = Math.max(reconnectPauseMs(failures, kind, Math.random()), retryAfterMs);
      newCtx().log.info(
        { integrationId: held.id, kind, failures, pauseMs },
        'a platform connection will be opened again',
      );
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) session = await readSession(newCtx().sql, held.id).catch(() => session);
    }
  }
}

/** Writes down what the failure means; true when the integration stands in `error` now. */
async function isOver(ctx: Ctx, id: string, error: unknown): Promise<boolean> {
  if (!(error instanceof PlatformError)) {
    ctx.log.warn({ err: error, integrationId: id }, 'a platform connection broke');
    return false;
  }
  try {
    if (error.kind === 'auth') return await noteAuthFailure(ctx, id, error.message);
    if (error.kind === 'refused') await failIntegration(ctx, id, 'refused', error.message);
  } catch (failure) {
    ctx.log.warn({ err: failure, integrationId: id }, 'the failure of a platform connection was not written');
    return false;
  }
  return error.kind === 'refused';
}

async function connectOnce(
  newCtx: () => Ctx,
  holder: string,
  held: HeldConnection,
  signal: AbortSignal,
): Promise<void> {
  const { id, platform } = held;
  const ctx = newCtx();
  await ctx.ports.platforms[platform].connect({
    bot: openBot(ctx.config, held),
    session: held.session,
    signal,
    onUp: async (botUserId) => {
      await noteConnected(newCtx(), id, botUserId);
      ctx.log.info({ integrationId: id, platform }, 'connected to a platform');
    },
    onMessage: (message, session) => receiveMessage(newCtx(), id, message, session),
    onSession: (session) => {
      writeSession(newCtx().sql, holder, id, session).catch((error: unknown) =>
        ctx.log.warn({ err: error, integrationId: id }, 'where a platform connection can be resumed was not written'),
      );
    },
  });
}
