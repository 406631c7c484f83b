import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../core/ctx.ts';
import { openBot } from '../bot-token.ts';
import { failIntegration, noteAuthFailure, noteConnected } from './connection-health.ts';
import { type HeldConnection, readSession, writeSession } from './connection-leases.ts';
import { createMessageFilter, type MessageFilter } from './message-filter.ts';
import { PlatformError } from '../platforms.ports.ts';
import { receiveMessage } from '../replies/receive-message.ts';

/** A connection that this process holds. */
export interface Connection {
  readonly id: string;
  readonly revision: number;
  /** Whether the connection ended by itself, because the integration's status is `error`. */
  readonly ended: boolean;
  /** Notes that the integration may have changed. */
  refresh(): void;
  /** Disconnects. Resolves when all its work has ended. */
  close(): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** Shorter first pause after a rejected token, so that its owner is notified soon, in milliseconds. */
const firstAuthPauseMs = 250;
/** Duration after which a connection counts as good and resets the pauses, in milliseconds. */
const stableAfterMs = 60_000;

/**
 * Returns the pause before a reconnect in milliseconds, after the given number of consecutive failures (from 1).
 * `random` is in [0, 1).
 */
export function reconnectPauseMs(failures: number, kind: 'auth' | 'other', random: number): number {
  const firstMs = kind === 'auth' ? firstAuthPauseMs : firstPauseMs;
  return Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestPauseMs) * (0.75 + random / 4));
}

/**
 * Opens a connection and reconnects with increasing pauses until it is closed or the integration's status is `error`.
 */
export function openPlatformConnection(newCtx: () => Ctx, holder: string, held: HeldConnection): Connection {
  const controller = new AbortController();
  const filter = createMessageFilter(newCtx, held.id);
  let ended = false;
  const running = keepOpen({ newCtx, holder, held, filter, signal: controller.signal })
    .catch((error: unknown) => {
      newCtx().log.error({ err: error, integrationId: held.id }, 'a platform connection failed');
    })
    .finally(() => (ended = true));
  return {
    id: held.id,
    revision: held.revision,
    get ended() {
      return ended;
    },
    refresh: () => filter.refresh(),
    async close() {
      controller.abort();
      await running;
    },
  };
}

interface Opening {
  newCtx: () => Ctx;
  holder: string;
  held: HeldConnection;
  filter: MessageFilter;
  signal: AbortSignal;
}

async function keepOpen(opening: Opening): Promise<void> {
  const { newCtx, held, signal } = opening;
  let failures = 0;
  let session = held.session;
  while (!signal.aborted) {
    const startedMs = performance.now();
    try {
      await connectOnce({ ...opening, held: { ...held, session } });
      if (signal.aborted) return;
      throw new PlatformError('unavailable', 'The platform closed the connection.');
    } catch (error) {
      if (signal.aborted) return;
      failures = performance.now() - startedMs > stableAfterMs ? 1 : failures + 1;
      if (await recordFailure(newCtx(), held.id, error)) return;
      const kind = error instanceof PlatformError && error.kind === 'auth' ? 'auth' : 'other';
      const retryAfterMs = (error instanceof PlatformError && error.retryAfterMs) || 0;
      const pauseMs = Math.max(reconnectPauseMs(failures, kind, Math.random()), retryAfterMs);
      newCtx().log.info({ integrationId: held.id, kind, failures, pauseMs }, 'reconnecting to a platform');
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) session = await readSession(newCtx().sql, held.id).catch(() => session);
    }
  }
}

/** Records the failure. Returns whether the integration's status is `error` now. */
async function recordFailure(ctx: Ctx, id: string, error: unknown): Promise<boolean> {
  if (!(error instanceof PlatformError)) {
    ctx.log.warn({ err: error, integrationId: id }, 'a platform connection broke');
    return false;
  }
  try {
    if (error.kind === 'auth') return await noteAuthFailure(ctx, id, error.message);
    if (error.kind === 'refused') await failIntegration(ctx, id, 'refused', error.message);
  } catch (failure) {
    ctx.log.warn({ err: failure, integrationId: id }, 'could not store the failure of a platform connection');
    return false;
  }
  return error.kind === 'refused';
}

async function connectOnce({ newCtx, holder, held, filter, signal }: Opening): Promise<void> {
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
    onMessage: async (message, session) => {
      if (await filter.accepts(message)) await receiveMessage(newCtx(), id, message, { holder, session });
    },
    onSession: async (session) => {
      try {
        await writeSession(newCtx().sql, holder, id, session);
      } catch (error) {
        ctx.log.warn({ err: error, integrationId: id }, 'could not store the session of a platform connection');
        throw error;
      }
    },
  });
}
