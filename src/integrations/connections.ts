import type { Ctx } from '../core/ctx.ts';
import { type Connection, openConnection } from './connection.ts';
import { claimConnections, leaseSeconds, releaseLeases, renewLeases } from './connection-leases.ts';

/** The bots' connections of one worker. */
export interface Connections {
  start(): void;
  reconcile(): void;
  /** Closes them all and gives them back, so that another worker opens them within a second. */
  stop(): Promise<void>;
}

const tickMs = 1_000;
/** In one look, so that workers that start together share what there is. */
const claimAtOnce = 25;
/** Without having renewed for so long, somebody else could hold them by now. */
const giveUpMs = (leaseSeconds - 2) * 1_000;

/**
 * Holds connections under leases: exactly one worker has one, by the clock of the database. Once a second leases are
 * renewed, what is no longer wanted (switched off, deleted with its agent or account) is closed, and what nobody holds is
 * opened; a worker that can't renew closes its connections before another may open them.
 */
export function createConnections(newCtx: () => Ctx, holder: string): Connections {
  const held = new Map<string, Connection>();
  const closing = new Set<Promise<void>>();
  let renewedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let stopped = false;

  const close = (connection: Connection): void => {
    held.delete(connection.id);
    const closed = connection.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };

  async function look(): Promise<void> {
    const { sql, log } = newCtx();
    try {
      const askedMs = performance.now();
      const kept = await renewLeases(sql, holder, [...held.keys()]);
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
        held.set(claimed.id, openConnection(newCtx, holder, claimed));
      }
    } catch (error) {
      log.warn({ err: error }, 'the leases of platform connections could not be looked after');
      if (performance.now() - renewedMs > giveUpMs) [...held.values()].forEach(close);
    }
  }

  function reconcile(): void {
    if (stopped || timer === undefined) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = look().finally(() => {
      looking = undefined;
      if (lookAgain) {
        lookAgain = false;
        reconcile();
      }
    });
  }

  return {
    start() {
      timer = setInterval(reconcile, tickMs);
      reconcile();
    },
    reconcile,
    async stop() {
      if (timer === undefined) return;
      stopped = true;
      clearInterval(timer);
      await looking;
      const ids = [...held.keys()];
      [...held.values()].forEach(close);
      await Promise.all(closing);
      await releaseLeases(newCtx().sql, holder, ids);
    },
  };
}
