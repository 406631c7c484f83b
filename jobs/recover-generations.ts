import { interruptOrphans } from '../src/conversations/interrupt-generation.ts';
import type { Job } from './job.ts';

/** Every five seconds, replies that a dead process was writing are ended, so that their conversations can go on. */
export const recoverGenerations: Job = {
  kind: 'generation.recover',
  everyMs: 5_000,
  concurrency: 1,
  retryDelaysSeconds: [5],
  handle: async (ctx) => {
    const interrupted = await interruptOrphans(ctx);
    if (interrupted > 0) ctx.log.warn({ interrupted }, 'ended the replies of instances that have died');
  },
};
