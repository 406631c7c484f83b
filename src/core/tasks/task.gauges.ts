import type { GaugeGroup } from '../feature.ts';
import { measureQueues } from './queue-depths.ts';

export const taskGauges: GaugeGroup = {
  gauges: {
    tasks: {
      help: 'Tasks by kind and state; due tasks could run now. Capped at 1,000 per kind.',
      labels: ['kind', 'state'],
    },
    tasks_oldest_due_age_seconds: { help: 'Time since the oldest due task became due.', labels: ['kind'] },
    tasks_last_failure_timestamp_seconds: { help: 'Time when a task last failed permanently.', labels: ['kind'] },
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
