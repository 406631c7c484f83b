import type { TaskHandler } from './task-handler.ts';
import type { TaskKind, TaskPayloads } from './tasks.ts';

/** A kind of job: how its tasks run and, for recurring work, how often a task is enqueued. */
export interface Job<Payload extends object = object> extends TaskHandler<Payload> {
  /**
   * Interval at which a task without a payload is enqueued: once across all instances, and not while the previous one
   * is unfinished.
   */
  everyMs?: number;
  /**
   * SQL condition. The task is enqueued only while it holds, at most every `everyMs` in each process, and with a delay
   * of up to ten seconds while the process is idle. A job without work costs nothing.
   */
  when?: string;
  /** Whether a task is also enqueued whenever a process that runs jobs starts. */
  atStart?: boolean;
}

/** A job of a feature, with the payload that is declared for its kind. */
export type FeatureJob = { [Kind in TaskKind]: Job<TaskPayloads[Kind]> & { kind: Kind } }[TaskKind];
