import type { Ctx } from '../../core/ctx.ts';
import { type Connection, openPlatformConnection } from './connection.ts';
import { createDuePoll } from '../../core/waiting/due-poll.ts';
import { claimConnections, extendLeases, leaseMs, msUntilFree, releaseLeases } from './connection-leases.ts';

/** The bots' connections of one worker. */
export interface Connections {
  start(): void;
  reconcile(): void;
  /** Closes and releases all connections, so that another worker opens them within a second. */
  stop(): Promise<void>;
}

const reconcileKind = 'integration.reconcile';
/** Largest number of connections claimed at once, so that workers that start together share the connections. */
const claimAtOnce = 25;
/**
 * Time without an extension after which this worker closes its connections, because another worker could claim them
 * soon, in milliseconds.
 */
const closeAfterMs = leaseMs - 2_000;

/**
 * Creates a holder of connections under leases: exactly one worker holds each of them. While it holds any, it checks
 * once a second: it extends its leases, closes connections that are no longer wanted (disabled, or deleted with their
 * agent or account) and opens free ones. Otherwise it waits for a notification, or for the end of another worker's
 * lease. A worker that cannot extend its leases closes its connections before another worker may open them.
 */
export function createConnections(newCtx: () => Ctx, holder: string): Connections {
  const held = new Map<string, Connection>();
  const closing = new Set<Promise<void>>();
  let renewedMs = performance.now();
  let started = false;
  let renewing: Promise<void> | undefined;
  let renewAgain = false;
  let stopped = false;
  let stopListening = (): void => undefined;

  const poll = createDuePoll(
    async () => {
      reconcile();
      await renewing;
      return held.size > 0 ? 0 : msUntilFree(newCtx().sql);
    },
    (error) => newCtx().log.warn({ err: error }, 'could not look for free platform connections, will retry'),
  );

  const close = (connection: Connection): void => {
    held.delete(connection.id);
    const closed = connection.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };

  async function renewAndClaim(): Promise<void> {
    const { sql, log } = newCtx();
    try {
      const askedMs = performance.now();
      const kept = await extendLeases(sql, holder, [...held.keys()]);
      renewedMs = askedMs;
      const dropped = [...held.values()].filter(({ id, revision, ended }) => ended || kept.get(id) !== revision);
      dropped.forEach(close);
      if (dropped.length > 0) {
        await Promise.all(closing);
        await releaseLeases(
          sql,
          holder,
          dropped.map(({ id }) => id),
        );
      }
      for (const claimed of await claimConnections(sql, holder, claimAtOnce)) {
        held.set(claimed.id, openPlatformConnection(newCtx, holder, claimed));
      }
    } catch (error) {
      log.warn({ err: error }, 'could not extend the leases of platform connections, will retry');
      if (performance.now() - renewedMs > closeAfterMs) [...held.values()].forEach(close);
    }
  }

  function reconcile(): void {
    if (stopped || !started) return;
    if (renewing) {
      renewAgain = true;
      return;
    }
    renewing = renewAndClaim().finally(() => {
      renewing = undefined;
      if (renewAgain) {
        renewAgain = false;
        reconcile();
      }
    });
  }

  return {
    start() {
      stopListening = newCtx().ports.wakes.onWake(reconcileKind, () => {
        held.forEach((one) => one.refresh());
        poll.note();
      });
      started = true;
      poll.start();
    },
    reconcile() {
      poll.note();
      reconcile();
    },
    async stop() {
      if (!started) return;
      stopped = true;
      stopListening();
      await poll.stop();
      await renewing;
      const ids = [...held.keys()];
      [...held.values()].forEach(close);
      await Promise.all(closing);
      if (ids.length === 0) return;
      const { sql, ports } = newCtx();
      await releaseLeases(sql, holder, ids);
      ports.tasks.wake(reconcileKind);
    },
  };
}
