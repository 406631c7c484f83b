import type { TaskHandler } from '../src/core/task-handler.ts';

/** A kind of job: how its tasks are done and, for recurring work, how often one is written. */
export interface Job<Payload extends object = object> extends TaskHandler<Payload> {
  /** A task without payload is written this often, by one of all instances, and not while the last one is still to do. */
  everyMs?: number;
  /** One is written whenever a process starts that works, too. */
  atStart?: boolean;
}
