import type { Ctx, Ports } from '../ctx.ts';
import { accountEventsKind } from '../outbox.ts';

/**
 * Interval between polls for committed events, in milliseconds, because notifications can be lost. One poll serves all
 * listeners of a process.
 */
const pollMs = 2_000;
/**
 * Number of polls within which an event must become visible after its number was assigned. An event that takes longer
 * relies on its notification.
 */
const overlapPolls = 5;

const pollEvents = {
  name: 'account_events_poll',
  text: `
    select pg_current_snapshot()::text as seen, (select max(seq) from outbox_events) as newest, array(
      select distinct account_id from outbox_events
      where seq > $1 and xid <> '0' and not pg_visible_in_snapshot(xid, $2::pg_snapshot)) as accounts`,
};

interface Polled {
  seen: string;
  newest: number | null;
  accounts: string[];
}

interface Watch {
  listeners: Map<string, Set<() => void>>;
  timer: NodeJS.Timeout | undefined;
  seen: string | null;
  /** Newest event number at each of the last polls. */
  newest: number[];
}

const watches = new WeakMap<Ports, Watch>();

/**
 * Calls `listener` after each commit of events of an account, on any instance, and when some may have been missed.
 * Returns an unsubscribe function. All listeners of a process share one poll.
 */
export function onAccountEvents({ ports }: Ctx, accountId: string, listener: () => void): () => void {
  const watch: Watch = watches.get(ports) ?? { listeners: new Map(), timer: undefined, seen: null, newest: [] };
  watches.set(ports, watch);
  const ones = watch.listeners.get(accountId) ?? new Set<() => void>();
  watch.listeners.set(accountId, ones.add(listener));
  const stop = ports.wakes.onWake(accountEventsKind(accountId), listener);
  watch.timer ??= setTimeout(() => void poll(ports, watch), 0);
  return () => {
    stop();
    ones.delete(listener);
    if (ones.size === 0 && watch.listeners.get(accountId) === ones) watch.listeners.delete(accountId);
  };
}

async function poll(ports: Ports, watch: Watch): Promise<void> {
  if (watch.listeners.size === 0) return void watches.delete(ports);
  const { sql, log } = ports.background();
  try {
    const [polled] = await sql<Polled>(pollEvents, [watch.newest[0] ?? null, watch.seen]);
    const { seen = null, newest = null, accounts = [] } = polled ?? {};
    watch.seen = seen;
    watch.newest = [...watch.newest, newest ?? 0].slice(-overlapPolls);
    for (const accountId of accounts) for (const listener of watch.listeners.get(accountId) ?? []) listener();
  } catch (error) {
    log.warn({ err: error }, 'could not look for events of the accounts that are followed, will retry');
  }
  watch.timer = setTimeout(() => void poll(ports, watch), pollMs).unref();
}
