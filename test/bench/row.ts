/**
 * One row of the table that `npm run bench` prints. A file of `test/bench/` exports its rows as `rows`; the runner finds
 * it there, and nothing has to be registered.
 */
export interface BenchRow {
  /** As in the goals: `P1`. Given on the command line, it runs alone. */
  name: string;
  /** What is measured, in a few words. */
  title: string;
  /** Starts what it needs through `bench`, measures, and answers one figure for each claim. All that was started is stopped after it. */
  measure(bench: Bench): Promise<Figure[]>;
}

/** One number with its goal. */
export interface Figure {
  /** `CPU of B1`, `p50 added to B2`. */
  what: string;
  value: number;
  unit: '×' | 'ms' | 'µs' | 'MB' | 'kB' | '/s' | '%';
  /** First and third quartile over the rounds. */
  quartiles?: readonly [number, number];
  /** Absent where the figure only explains another. */
  goal?: { atMost: number } | { atLeast: number };
  /** Set when the control was off, so that the figure says nothing: how far off it was. */
  void?: string;
}

/** What a row may use. One for each row, with what the row starts. */
export interface Bench {
  /** `--quick`: three rounds and little data, to see that a row works. The figures are no reference. */
  isQuick: boolean;
  /** `--long`: twelve rounds with slices of two seconds and all the data that a goal names, for a night. */
  isLong: boolean;
  /** `--write` and `--long`: more rounds, warmer code, and all the messages that a goal names. */
  isReference: boolean;
  rounds: number;
  sliceMs: number;
  /** A migrated, empty database of its own on the bench's PostgreSQL. */
  createDatabase(): Promise<string>;
  /** The service as it is shipped, as a process of its own that listens. Rate limits are out of the way unless `env` says otherwise. */
  startService(options: { databaseUrl: string; env?: Record<string, string> }): Promise<BenchProcess>;
  /** What the service is started with, for a floor that is the service in part. */
  serviceEnv(databaseUrl: string): Promise<Record<string, string>>;
  /**
   * A program of `test/bench/floors/` as a process of its own. It gets `env`, listens on a free port of 127.0.0.1 and
   * then prints `{"port": number}` on a line.
   */
  startFloor(file: string, env?: Record<string, string>): Promise<BenchProcess>;
  /** Runs `stop` after the row, whatever became of it. */
  defer(stop: () => unknown): void;
  /** A line on stderr, for whoever waits. */
  say(line: string): void;
}

export interface BenchProcess {
  pid: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** From its start to its first word that it listens. */
  startMs: number;
  /** CPU time of all its threads so far, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Resident memory now, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Something that does the same work as others, to be compared with them slice by slice. */
export interface Candidate {
  name: string;
  /** Whose CPU time counts. */
  process: BenchProcess;
  /** Works for about `ms`. */
  work(ms: number): Promise<Slice>;
}

/** What a candidate did in one slice. */
export interface Slice {
  /** Requests, tokens, deliveries. */
  operations: number;
  ms: number;
  /** Of single operations, when they were timed. */
  p50Ms?: number;
  p99Ms?: number;
}
