import type { Sql, Statement } from '../../core/database/sql.ts';
import type { StoredReply } from './generation-events.ts';
import type { LiveGeneration } from './live-generation.ts';

/** Stores what live generations have written, so that other instances can read along and little is lost in a crash. */
export interface Checkpoints {
  /** Stores what each of the generations has written since its last checkpoint, in one statement. */
  write(generations: Iterable<LiveGeneration<StoredReply>>): Promise<void>;
}

export function createCheckpoints(sql: Sql, writeDeltas: Statement): Checkpoints {
  /** Length of the text that is stored. */
  const stored = new WeakMap<LiveGeneration<StoredReply>, number>();
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
