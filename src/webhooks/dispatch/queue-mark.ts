import type { Sql } from '../../core/database/sql.ts';

/**
 * The number below which the queue of events is empty for good. The fan-out reads from there on: rows that were taken
 * stay in the index for as long as anybody holds an old snapshot (a backup, say), and each fan-out would step over them.
 */
export interface QueueMark {
  /** The mark, moved forward when enough events were taken since. */
  read(sql: Sql): Promise<number>;
  /** The mark as it is. */
  peek(): number;
  noteTaken(events: number): void;
  /** Moves the mark back to an event that was enqueued late. */
  include(seq: number): void;
}

const moveAfterEvents = 2_000;
const observeAfterMs = 500;
/** Every so often the whole queue is read, for what another process enqueued late. */
const readAllAfterMs = 60_000;

// An open transaction can still commit a number lower than one that is visible. A number that is visible now was drawn
// before "xmax", so once "xmin" has reached that, every lower number is committed or never will be.
const select = {
  name: 'outbox_queue_mark',
  text: `
    select (select min(seq) from outbox_queue where seq >= $1) as first, (select max(seq) from outbox_events) as newest,
      pg_snapshot_xmin(s.snapshot)::text as xmin, pg_snapshot_xmax(s.snapshot)::text as xmax
    from (select pg_current_snapshot() as snapshot) s`,
};

interface Observation {
  /** The lowest number in the queue; null when it is empty. */
  first: number | null;
  /** The highest number of all events. */
  newest: number | null;
  xmin: string;
  xmax: string;
}

export function createQueueMark(): QueueMark {
  let mark = 0;
  /** A number below which nothing new can appear once every transaction before `xmax` has ended. */
  let settling: { seq: number; xmax: bigint } | null = null;
  let taken = 0;
  let observedAtMs = performance.now();
  let readAllAtMs = performance.now();

  function note({ first, newest, xmin, xmax }: Observation): void {
    if (!settling) settling = newest === null ? null : { seq: newest + 1, xmax: BigInt(xmax) };
    else if (BigInt(xmin) >= settling.xmax) {
      mark = Math.max(mark, Math.min(first ?? settling.seq, settling.seq));
      settling = null;
    }
  }

  return {
    read: async (sql) => {
      const nowMs = performance.now();
      if (nowMs - readAllAtMs > readAllAfterMs) {
        readAllAtMs = nowMs;
        return 0;
      }
      if ((settling || taken >= moveAfterEvents) && nowMs - observedAtMs > observeAfterMs) {
        observedAtMs = nowMs;
        taken = 0;
        const [observation] = await sql<Observation>(select, [mark]);
        if (observation) note(observation);
      }
      return mark;
    },
    peek: () => mark,
    noteTaken: (events) => {
      taken += events;
    },
    include: (seq) => {
      mark = Math.min(mark, seq);
      settling = null;
    },
  };
}
