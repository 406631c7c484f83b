import { answerLane, giveUpLane } from '../src/integrations/answer-messages.ts';
import { answerTask, type Lane } from '../src/integrations/lanes.ts';
import type { Job } from './job.ts';

/** The messages of one person in one chat of a platform, answered in order. */
export const answerPlatformMessages: Job<Lane> = {
  kind: answerTask,
  concurrency: 50,
  leaseMs: 10_000,
  timeoutMs: 180_000,
  retryDelaysSeconds: [1, 5, 30],
  handle: answerLane,
  failed: giveUpLane,
};
