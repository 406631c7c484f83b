import type pg from 'pg';
import type { Logger } from 'pino';
import { readTogether } from '../../core/database/sql.ts';
import { leaseHolds } from '../../conversations/instances/instance-lease.ts';

/** Counts the open sockets of each account over all instances. */
export interface AccountSockets {
  /** Counts a socket. Returns false when the account already has `limit` sockets. */
  join(userId: string, limit: number): Promise<boolean>;
  leave(userId: string): void;
  /** Stops writing. The rows are removed together with the instance's row. */
  close(): void;
}

interface AccountSocketsOptions {
  pool: pg.Pool;
  instanceId: string;
  log: Logger;
}

interface Joiner extends PromiseWithResolvers<boolean> {
  userId: string;
  limit: number;
}

interface OtherSockets {
  userId: string;
  connections: number;
}

// The joins exclude accounts and instances that no longer exist, which would make the whole statement fail.
const write = {
  name: 'account_sockets_write',
  text: `
    with given as (select * from unnest($2::text[], $3::integer[]) as g (user_id, connections)),
    closed as (
      delete from account_sockets s using given g
      where s.instance_id = $1 and s.user_id = g.user_id and g.connections = 0
    )
    insert into account_sockets as s (user_id, instance_id, connections)
    select g.user_id, i.id, g.connections from given g join users u on u.id = g.user_id join instances i on i.id = $1
    where g.connections > 0
    on conflict (user_id, instance_id) do update set connections = excluded.connections`,
};

const readOthers = {
  name: 'account_sockets_others',
  text: `
    select s.user_id as "userId", sum(s.connections)::integer as connections from account_sockets s
    join instances i on i.id = s.instance_id and ${leaseHolds('i')}
    where s.user_id = any ($2) and s.instance_id <> $1
    group by s.user_id`,
};

const retryMs = 1_000;

/**
 * Counts sockets in memory and writes the counts of all changed accounts together. A socket is written before the
 * counts of other instances are read, so that two concurrent joins may both be rejected but never exceed the limit.
 */
export function createAccountSockets({ pool, instanceId, log }: AccountSocketsOptions): AccountSockets {
  const counts = new Map<string, number>();
  const changed = new Set<string>();
  const waiting: Joiner[] = [];
  let isWriting = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const countOf = (userId: string): number => counts.get(userId) ?? 0;

  function add(userId: string, more: number): void {
    const count = countOf(userId) + more;
    if (count > 0) counts.set(userId, count);
    else counts.delete(userId);
    changed.add(userId);
  }

  async function settle(joiners: readonly Joiner[]): Promise<void> {
    const joining = Map.groupBy(joiners, ({ userId }) => userId);
    const users = [...new Set([...changed, ...joining.keys()])];
    changed.clear();
    const next = users.map((userId) => countOf(userId) + (joining.get(userId)?.length ?? 0));
    try {
      const rows = await writeAndRead(users, next, [...joining.keys()]);
      const others = new Map(rows.map(({ userId, connections }) => [userId, connections]));
      for (const { userId, limit, resolve } of joiners) {
        const isWithin = countOf(userId) + (others.get(userId) ?? 0) < limit;
        add(userId, isWithin ? 1 : 0);
        resolve(isWithin);
      }
      // Counts within the limit have been written already.
      for (const [index, userId] of users.entries()) if (countOf(userId) === next[index]) changed.delete(userId);
    } catch (error) {
      for (const userId of users) changed.add(userId);
      for (const { reject } of joiners) reject(error);
      throw error;
    }
  }

  /** Sends both statements together. The second one sees what the first one wrote. */
  const writeAndRead = (users: readonly string[], next: readonly number[], joining: readonly string[]) =>
    readTogether(pool, async (sql) => {
      const written = sql(write, [instanceId, users, next]);
      const others = joining.length > 0 ? sql<OtherSockets>(readOthers, [instanceId, joining]) : [];
      await Promise.all([written, others]);
      return others;
    });

  async function run(): Promise<void> {
    if (isWriting || isClosed) return;
    isWriting = true;
    clearTimeout(retry);
    try {
      while (waiting.length > 0 || changed.size > 0) await settle(waiting.splice(0));
    } catch (error) {
      if (isClosed) return;
      log.warn({ err: error }, 'could not count the sockets of accounts, will retry');
      retry = setTimeout(() => void run(), retryMs).unref();
    } finally {
      isWriting = false;
    }
  }

  return {
    join(userId, limit) {
      if (countOf(userId) >= limit) return Promise.resolve(false);
      const joiner: Joiner = { userId, limit, ...Promise.withResolvers<boolean>() };
      waiting.push(joiner);
      void run();
      return joiner.promise;
    },
    leave(userId) {
      add(userId, -1);
      void run();
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
    },
  };
}
