import { setTimeout as sleep } from 'node:timers/promises';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx, Ports } from '../../core/ctx.ts';
import type { Scope } from '../../core/actor.ts';
import type { Statement } from '../../core/database/sql.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { type IdPrefix, isId } from '../../core/ids.ts';
import type { ChannelEvent, ChannelKind, ChannelReading, OpenOptions } from '../channel.ts';

const pollMs = 1_000;

export interface StateOptions<Row> {
  scope: Scope;
  prefix: IdPrefix;
  /** Reads the rows with the ids in `$1`. */
  statement: Statement;
  isOf: (row: Row, accountId: string) => boolean;
  isFinal: (row: Row) => boolean;
  /** Returns the resource in its REST representation. */
  present: (ctx: Ctx, row: Row) => object;
}

interface Watch<Row> {
  /** Callbacks for the next read, by id. */
  readers: Map<string, Set<(row: Row | undefined) => void>>;
  isPolling: boolean;
}

/**
 * Creates a channel of one resource that is being processed. It sends the current state and each change until a final
 * state.
 */
export function stateChannel<Row extends { id: string }>(options: StateOptions<Row>): ChannelKind {
  const { scope, prefix, statement, isOf, isFinal, present } = options;
  const watches = new WeakMap<Ports, Watch<Row>>();

  async function open(ctx: Ctx, id: string, { left }: OpenOptions): Promise<ChannelReading> {
    const [row] = isId(prefix, id) ? await ctx.sql<Row>(statement, [[id]]) : [];
    if (!row || !isOf(row, callerId(ctx))) throw notFound();
    return { resumed: 'from_start', offset: null, events: follow(ctx, row, left) };
  }

  async function* follow(ctx: Ctx, first: Row, left: AbortSignal): AsyncGenerator<ChannelEvent, void, void> {
    let sent = '';
    for (let row: Row | undefined = first; !left.aborted; row = await nextRead(ctx, first.id, left)) {
      if (left.aborted) return;
      if (!row) throw new AppError('not_found', { message: 'The resource was deleted.' });
      const data = present(ctx, row);
      const text = JSON.stringify(data);
      if (text !== sent) yield { type: 'updated', offset: null, data };
      sent = text;
      if (isFinal(row)) return;
    }
  }

  function nextRead({ ports }: Ctx, id: string, left: AbortSignal): Promise<Row | undefined> {
    const watch: Watch<Row> = watches.get(ports) ?? { readers: new Map(), isPolling: false };
    watches.set(ports, watch);
    const next = Promise.withResolvers<Row | undefined>();
    const ones = watch.readers.get(id) ?? new Set<(row: Row | undefined) => void>();
    watch.readers.set(id, ones.add(next.resolve));
    const leave = (): void => next.resolve(undefined);
    left.addEventListener('abort', leave, { once: true });
    void poll(ports, watch);
    return next.promise.finally(() => left.removeEventListener('abort', leave));
  }

  /** Reads all watched rows of this process with one statement a second while there are any. */
  async function poll(ports: Ports, watch: Watch<Row>): Promise<void> {
    if (watch.isPolling) return;
    watch.isPolling = true;
    const { sql, log } = ports.background();
    while (watch.readers.size > 0) {
      await sleep(pollMs, undefined, { ref: false });
      const { readers } = watch;
      // A reader that joins while the statement runs waits for the next one, which includes its id.
      watch.readers = new Map();
      try {
        const rows = await sql<Row>(statement, [[...readers.keys()]]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const [id, waiting] of readers) for (const resolve of waiting) resolve(byId.get(id));
      } catch (error) {
        for (const [id, waiting] of readers) {
          const joined = watch.readers.get(id) ?? [];
          watch.readers.set(id, new Set([...waiting, ...joined]));
        }
        log.warn({ err: error }, 'could not poll watched rows, will retry');
      }
    }
    watch.isPolling = false;
  }

  return { scope, open };
}
