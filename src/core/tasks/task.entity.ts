import { defineEntity, p } from '@mikro-orm/postgresql';

export type TaskState = 'pending' | 'running' | 'failed';

const TaskSchema = defineEntity({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text(),
    /** Unique among the live tasks of a kind. */
    key: p.text().strictNullable(),
    payload: p.json<object>(),
    state: p.text().$type<TaskState>().default('pending'),
    runAt: p.datetime(3),
    /** Set when the task is enqueued again while it runs: it then returns to `pending` with this due time. */
    rerunAt: p.datetime(3).strictNullable(),
    attempts: p.integer().default(0),
    maxAttempts: p.integer(),
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    lastError: p.text().strictNullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
  },
});

/** Work that must be done. The row is deleted when the work is done. */
export class Task extends TaskSchema.class {}
TaskSchema.setClass(Task);
