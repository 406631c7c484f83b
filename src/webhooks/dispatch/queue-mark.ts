import type { Sql } from '../../core/database/sql.ts';

/**
 * The sequence number below which the queue is permanently empty. The fan-out starts reading there: deleted rows stay
 * in the index as long as an old snapshot is open (by a backup, for example), and each fan-out would have to skip them.
 */
export interface QueueMark {
  /** Returns the mark, after advancing it if enough events were taken. */
  read(sql: Sql): Promise<number>;
  /** Returns the mark without advancing it. */
  peek(): number;
  noteTaken(events: number): void;
  /** Moves the mark back to an event that was enqueued late. */
  include(seq: number): void;
}

const moveAfterEvents = 2_000;
const observeAfterMs = 500;
/** Interval at which the whole queue is read, to find events that another process enqueued late. */
const readAllAfterMs = 60_000;

// An open transaction can still commit a number lower than a visible one. A number that is visible now was assigned
// before "xmax". Once "xmin" has reached that value, every lower number is either committed or will never be.
const select = {
  name: 'outbox_queue_mark',
  text: `
    select (select min(seq) from outbox_queue where seq >= $1) as first, (select max(seq) from outbox_events) as newest,
      pg_snapshot_xmin(s.snapshot)::text as xmin, pg_snapshot_xmax(s.snapshot)::text as xmax
    from (select pg_current_snapshot() as snapshot) s`,
};

interface Observation {
  /** Lowest number in the queue; null if it is empty. */
  first: number | null;
  /** Highest number of all events; null if there are none. */
  newest: number | null;
  xmin: string;
  xmax: string;
}

export function createQueueMark(): QueueMark {
  let mark = 0;
  /** Number below which nothing new can appear once all transactions before `xmax` have ended. */
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
