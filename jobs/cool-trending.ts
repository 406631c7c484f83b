import { coolTrending } from '../src/agents/popularity.ts';
import type { Job } from './job.ts';

/** Trending agents that nobody talks to any more sink. */
export const coolTrendingAgents: Job = {
  kind: 'agent.cool-trending',
  everyMs: 600_000,
  concurrency: 1,
  handle: (ctx) => coolTrending(ctx),
};
