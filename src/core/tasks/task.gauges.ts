import type { GaugeGroup } from '../feature.ts';
import { measureQueues } from './queue-depths.ts';

export const taskGauges: GaugeGroup = {
  gauges: {
    tasks: { help: 'Tasks by kind; due ones could run now. Capped at 1,000 a kind.', labels: ['kind', 'state'] },
    tasks_oldest_due_age_seconds: { help: 'How long the oldest due task has been due.', labels: ['kind'] },
    tasks_last_failure_timestamp_seconds: { help: 'When a task last failed for good.', labels: ['kind'] },
    outbox_events_undispatched: { help: 'Events that no dispatcher has claimed. Capped at 1,000.' },
    outbox_oldest_undispatched_age_seconds: { help: 'Age of the oldest undispatched event.' },
  },
  read: async (ctx) => {
    const { tasks, oldestDue, lastFailure, outbox } = await measureQueues(ctx);
    return [
      ...tasks.map(({ kind, state, count }) => ({ name: 'tasks', labels: { kind, state }, value: count })),
      ...oldestDue.map(({ kind, seconds }) => ({
        name: 'tasks_oldest_due_age_seconds',
        labels: { kind },
        value: seconds,
      })),
      ...lastFailure.map(({ kind, at }) => ({
        name: 'tasks_last_failure_timestamp_seconds',
        labels: { kind },
        value: at.getTime() / 1_000,
      })),
      { name: 'outbox_events_undispatched', value: outbox.count },
      { name: 'outbox_oldest_undispatched_age_seconds', value: outbox.oldestSeconds },
    ];
  },
};
