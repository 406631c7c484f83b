import { foldActivity } from '../src/agents/popularity.ts';
import type { Job } from './job.ts';

/** Keeps the agents' counters and what is trending a few seconds behind the conversations. */
export const foldAgentActivity: Job = {
  kind: 'agent.fold-activity',
  everyMs: 5_000,
  concurrency: 1,
  handle: async (ctx) => void (await foldActivity(ctx)),
};
