import type { Ctx, Ports } from '../../core/ctx.ts';
import type { Sql } from '../../core/database/sql.ts';
import { describeError } from '../../core/tasks/task-errors.ts';
import { getWebhook } from '../webhooks.ts';
import { deliveriesByIds, listDeliveries, oldestOf } from './deliveries.ts';
import type { Delivery } from './delivery.ts';

/** Interval at which the deliveries of a followed webhook are read, once for all followers in the process. */
const readEveryMs = 1_000;
/**
 * Number of newest deliveries per read. Pending deliveries among them are followed further when newer ones displace
 * them.
 */
const followedDeliveries = 100;
const followedPending = 200;

/**
 * Yields the newest delivery of one of the caller's webhooks, and then deliveries when they are created or changed: the
 * newest 100, and those that are still pending. States that last less than a second may be skipped. Ends when `left` is
 * aborted or the webhook is deleted.
 * @throws AppError `not_found`
 */
export async function* followDeliveries(ctx: Ctx, webhookId: string, left: AbortSignal): AsyncGenerator<Delivery> {
  const { id } = await getWebhook(ctx, webhookId);
  const changed = new Map<string, Delivery>();
  let woken = Promise.withResolvers<void>();
  const over = new AbortController();
  const end = (): void => {
    over.abort();
    woken.resolve();
  };
  const leave = follow(ctx, id, {
    end,
    notice: (deliveries) => {
      for (const delivery of deliveries) changed.set(delivery.id, delivery);
      // If the reader is too slow, the oldest changes are dropped.
      for (const oldest of changed.keys()) if (changed.size > followedPending) changed.delete(oldest);
      woken.resolve();
    },
  });
  left.addEventListener('abort', end, { once: true });
  try {
    yield* (await listDeliveries(ctx, id, { limit: 1 })).data;
    while (!over.signal.aborted && !left.aborted) {
      await woken.promise;
      woken = Promise.withResolvers();
      const batch = [...changed.values()];
      changed.clear();
      yield* batch;
    }
  } finally {
    left.removeEventListener('abort', end);
    leave();
  }
}

interface Follower {
  notice(deliveries: readonly Delivery[]): void;
  /** Ends the stream after the webhook was deleted. */
  end(): void;
}

interface Reader {
  followers: Set<Follower>;
  /** Last known state by delivery. Null until the first read, which reports no changes. */
  known: Map<string, State> | null;
  stop(): void;
}

const readers = new WeakMap<Ports, Map<string, Reader>>();

/**
 * Adds a follower to the webhook's reader and starts the reader if needed. Returns a function that removes the
 * follower; the last removal stops the reader.
 */
function follow(ctx: Ctx, webhookId: string, follower: Follower): () => void {
  const byWebhook = readers.get(ctx.ports) ?? new Map<string, Reader>();
  readers.set(ctx.ports, byWebhook);
  const reader = byWebhook.get(webhookId) ?? startReader(ctx, webhookId, () => byWebhook.delete(webhookId));
  byWebhook.set(webhookId, reader);
  reader.followers.add(follower);
  return () => {
    reader.followers.delete(follower);
    if (reader.followers.size === 0) reader.stop();
  };
}

function startReader({ sql, log }: Ctx, webhookId: string, onStop: () => void): Reader {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const reader: Reader = {
    followers: new Set(),
    known: null,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      onStop();
    },
  };
  const read = async (): Promise<void> => {
    try {
      if (!(await readChanges(sql, webhookId, reader))) {
        for (const follower of reader.followers) follower.end();
        return;
      }
    } catch (error) {
      log.warn({ error: describeError(error) }, 'could not read the deliveries of a followed webhook, will retry');
    }
    if (!isStopped) timer = setTimeout(() => void read(), readEveryMs);
  };
  void read();
  return reader;
}

interface State {
  id: string;
  createdAt: Date;
  status: Delivery['status'];
  /** Fingerprint that changes whenever an attempt begins or ends. */
  mark: string;
}

const state = `d.id, d.created_at as "createdAt", d.status,
  concat_ws(' ', d.status, d.attempt_count + d.earlier_attempt_count, d.lease_token is null, d.due_at) as mark`;

// Leaves out the attempts, because they contain response excerpts.
const readStates = {
  name: 'webhook_deliveries_states',
  text: `
    with newest as (
      select ${state} from webhook_deliveries d where d.webhook_id = $1
      order by d.created_at desc, d.id desc limit ${followedDeliveries}
    )
    select * from newest
    union all
    select ${state} from webhook_deliveries d
    where d.webhook_id = $1 and d.id = any ($2) and d.created_at >= $3 and d.id not in (select id from newest)`,
};

const readExists = {
  name: 'webhook_exists',
  text: `select 1 as found from webhooks where id = $1 and deleted_at is null`,
};

/** Notifies followers of changes since the last read. Returns whether the webhook still exists. */
async function readChanges(sql: Sql, webhookId: string, reader: Reader): Promise<boolean> {
  const pending = [...(reader.known?.values() ?? [])]
    .filter(({ status }) => status === 'pending')
    .slice(0, followedPending);
  const [states, exists] = await Promise.all([
    sql<State>(readStates, [webhookId, pending.map(({ id }) => id), oldestOf(pending)]),
    sql<object>(readExists, [webhookId]),
  ]);
  if (exists.length === 0) return false;
  const { known } = reader;
  reader.known = new Map(states.map((one) => [one.id, one]));
  const changed = known === null ? [] : states.filter(({ id, mark }) => known.get(id)?.mark !== mark);
  if (changed.length === 0) return true;
  const deliveries = await deliveriesByIds(sql, webhookId, changed);
  for (const follower of reader.followers) follower.notice(deliveries);
  return true;
}
