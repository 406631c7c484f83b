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
   * SQL condition for enqueueing the task. Each process checks it at most every `everyMs`, and within ten seconds while
   * nothing else happens, so a job without work costs nothing.
   */
  when?: string;
  /** Whether a task is also enqueued whenever a process that runs jobs starts. */
  atStart?: boolean;
}

/** A job of a feature, with the payload that is declared for its kind. */
export type FeatureJob = { [Kind in TaskKind]: Job<TaskPayloads[Kind]> & { kind: Kind } }[TaskKind];
