/**
 * A row of the table that `npm run bench` prints. A file of `test/bench/` exports its rows as `rows`; the runner finds
 * them there, so nothing has to be registered.
 */
export interface BenchRow {
  /** The id, such as `P1`, by which the command line selects it. */
  name: string;
  /** What is measured. */
  title: string;
  /** Starts what it needs through `bench`, measures, and returns the figures. Everything started is stopped afterwards. */
  measure(bench: Bench): Promise<Figure[]>;
}

/** One number with its goal. */
export interface Figure {
  /** `CPU of B1`, `p50 added to B2`. */
  what: string;
  value: number;
  unit: '×' | 'ms' | 'µs' | 'MB' | 'kB' | '/s' | 'a turn' | '%';
  /** First and third quartile over the rounds. */
  quartiles?: readonly [number, number];
  /** Absent if the figure only explains another. */
  goal?: { atMost: number } | { atLeast: number };
  /** Set if the control deviated too much, so that the figure is void: by how much. */
  void?: string;
}

/** The tools of a row, which track what the row starts. */
export interface Bench {
  /** `--quick`: three rounds and little data, to see that a row works. Its figures are not a reference. */
  isQuick: boolean;
  /** `--long`: twelve rounds, sixty slices of each candidate, and all the data that a goal names. */
  isLong: boolean;
  /** `--write` and `--long`: more rounds, warmer code, and all the messages that a goal names. */
  isReference: boolean;
  rounds: number;
  /** How often `compare` measures each candidate, for `sliceMs` each. */
  slices: number;
  sliceMs: number;
  /** Creates a migrated database without rows on the benchmark's PostgreSQL; with `isEmpty` without tables. */
  createDatabase(options?: { isEmpty?: boolean }): Promise<string>;
  /** Starts the built service as a process. Without rate limits unless `env` sets them. */
  startService(options: { databaseUrl: string; env?: Record<string, string> }): Promise<BenchProcess>;
  /** The environment of the service, for a floor that contains part of it. */
  serviceEnv(databaseUrl: string): Promise<Record<string, string>>;
  /**
   * Starts a program of `test/bench/floors/` as a process. It receives `env`, listens on a free port of 127.0.0.1 and
   * then prints `{"port": number}` on a line.
   */
  startFloor(file: string, env?: Record<string, string>): Promise<BenchProcess>;
  /** Runs `stop` after the row, also if it fails. */
  defer(stop: () => unknown): void;
  /** Prints progress on stderr. */
  say(line: string): void;
}

export interface BenchProcess {
  pid: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Time from its start until it reports that it listens. */
  startMs: number;
  /** CPU time of all its threads so far, in microseconds. */
  cpuMicros(): Promise<number>;
  /** Resident memory now, in bytes. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** A program that does the same work as the other candidates. */
export interface Candidate {
  name: string;
  /** The process whose CPU time counts. */
  process: BenchProcess;
  /** Works for about `ms`. */
  work(ms: number): Promise<Slice>;
}

/** The work of a candidate in one slice. */
export interface Slice {
  /** Requests, tokens, deliveries. */
  operations: number;
  ms: number;
  /** Latencies of single operations, if they were timed. */
  p50Ms?: number;
  p99Ms?: number;
}
