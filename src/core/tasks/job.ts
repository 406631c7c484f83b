import type { TaskHandler } from './task-handler.ts';
import type { TaskKind, TaskPayloads } from './tasks.ts';

/** A kind of job: how its tasks run and, for recurring work, how often one is enqueued. */
export interface Job<Payload extends object = object> extends TaskHandler<Payload> {
  /** A task without payload is enqueued this often, once across all instances, and not while the last one is unfinished. */
  everyMs?: number;
  /**
   * An SQL condition. With it the task is enqueued only while it holds, at most every `everyMs` in each process and within
   * ten seconds after nothing else happened; so a job without work costs nothing.
   */
  when?: string;
  /** One is also enqueued whenever a process starts that runs jobs. */
  atStart?: boolean;
}

/** A job of a feature: its payload is the one that is declared for its kind. */
export type FeatureJob = { [Kind in TaskKind]: Job<TaskPayloads[Kind]> & { kind: Kind } }[TaskKind];
