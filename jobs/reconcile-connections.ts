import type { Job } from './job.ts';

/** An integration was connected, changed or removed: the worker that takes this looks at once, the others within a second. */
export const reconcileConnections: Job = {
  kind: 'integration.reconcile',
  concurrency: 1,
  handle: async (ctx) => ctx.ports.connections.reconcile(),
};
