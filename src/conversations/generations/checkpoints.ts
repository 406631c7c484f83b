import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';
import type { Sql } from '../../core/database/sql.ts';
import type { LiveGeneration } from './live-generation.ts';

/** Stores what live generations have written, so that other instances can read along and little is lost in a crash. */
export interface Checkpoints {
  /** Stores what each of the generations has written since its last checkpoint, in one statement. */
  write(generations: Iterable<LiveGeneration>): Promise<void>;
}

// The lock keeps a generation from ending between this statement's look and its write, which would leave the piece behind
// for ever. One that is just ending is skipped, and not reported as written.
const writeDeltas = {
  name: 'generation_deltas_write',
  text: `
    insert into generation_deltas (generation_id, position, content)
    select d.id, d.position, d.content
    from unnest($1::text[], $2::integer[], $3::text[]) as d (id, position, content)
    join (
      select id from generations where id = any ($1) and state = 'running' for share skip locked
    ) g on g.id = d.id
    on conflict (generation_id, position) do update set content = excluded.content
    returning generation_id as id`,
};

export function createCheckpoints(sql: Sql): Checkpoints {
  /** Length of the text that is stored. */
  const stored = new WeakMap<LiveGeneration, number>();
  return {
    async write(generations) {
      const pending = [...generations]
        .map((generation) => ({ generation, start: stored.get(generation) ?? 0, text: generation.text }))
        .filter(({ start, text }) => text.length > start);
      if (pending.length === 0) return;
      const written = await sql<{ id: string }>(writeDeltas, [
        pending.map(({ generation }) => generation.id),
        pending.map(({ start }) => start),
        pending.map(({ start, text }) => text.slice(start)),
      ]);
      const ids = new Set(written.map(({ id }) => id));
      for (const { generation, text } of pending) if (ids.has(generation.id)) stored.set(generation, text.length);
    },
  };
}

const purgeEnded = {
  name: 'purge_checkpoints',
  text: `
    delete from generation_deltas where (generation_id, position) in (
      select d.generation_id, d.position from generation_deltas d join generations g on g.id = d.generation_id
      where g.state <> 'running' limit $2)
      and $1::timestamptz is not null
    returning 1`,
};

/** Removes checkpoints of generations that have ended, which their end should have left none of. */
export const purgeCheckpoints = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeEnded, ctx.clock.now(), signal);

// One step of the index for each generation, however many pieces it has.
const countLeft = {
  name: 'checkpoints_left',
  text: `
    with recursive written (id) as (
      (select generation_id from generation_deltas order by generation_id limit 1)
      union all
      select (select d.generation_id from generation_deltas d where d.generation_id > w.id order by d.generation_id limit 1)
      from written w where w.id is not null
    )
    select count(*) as count from written w join generations g on g.id = w.id where g.state <> 'running'`,
};

/** Number of ended generations that still have checkpoints. */
export const countLeftCheckpoints = async (sql: Sql): Promise<number> =>
  (await sql<{ count: number }>(countLeft))[0]?.count ?? 0;
