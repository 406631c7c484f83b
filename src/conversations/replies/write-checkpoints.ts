import type { Sql } from '../../core/database/sql.ts';
import type { StoredReply } from './generation-events.ts';
import type { LiveGeneration } from './live-generation.ts';
import type { ReplyStatements } from './reply-statements.ts';

type Live = LiveGeneration<StoredReply>;

/** Stores the text of live generations, so that other instances can follow it and a crash loses little. */
export interface Checkpoints {
  /**
   * Stores what each of the generations has written since its last checkpoint, in one statement. Returns the ids of
   * those that must not continue.
   */
  write(generations: readonly Live[]): Promise<string[]>;
  /** Ends checkpointing of a generation that is about to end. Returns whether some of its text may be stored. */
  end(generation: Live): boolean;
}

export function createCheckpoints(
  instanceId: string,
  sql: Sql,
  { checkpoint }: Pick<ReplyStatements, 'checkpoint'>,
): Checkpoints {
  /** Length of the stored text of each generation. */
  const stored = new WeakMap<Live, number>();
  const begun = new WeakSet<Live>();
  const ended = new WeakSet<Live>();
  return {
    async write(generations) {
      const pending = generations
        .map((generation) => ({ generation, start: stored.get(generation) ?? 0, text: generation.text }))
        .filter(({ generation, start, text }) => text.length > start && !ended.has(generation));
      for (const { generation } of pending) begun.add(generation);
      const found = await sql<{ id: string; isWritten: boolean }>(checkpoint, [
        instanceId,
        generations.map(({ id }) => id),
        pending.map(({ generation }) => generation.id),
        pending.map(({ start }) => start),
        pending.map(({ start, text }) => text.slice(start)),
        generations.map(({ account }) => account),
      ]);
      const written = new Set(found.filter(({ isWritten }) => isWritten).map(({ id }) => id));
      for (const { generation, text } of pending) if (written.has(generation.id)) stored.set(generation, text.length);
      return found.filter(({ isWritten }) => !isWritten).map(({ id }) => id);
    },
    end(generation) {
      ended.add(generation);
      return begun.has(generation);
    },
  };
}
