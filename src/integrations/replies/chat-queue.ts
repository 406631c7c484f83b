import type { Ctx } from '../../core/ctx.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';

/** Messages of one user in one chat. They are processed in order; queues of other users run in parallel. */
export interface ChatQueue {
  integrationId: string;
  chatId: string;
  /** Id of the user; empty for the queue of notices, which must not wait behind messages. */
  personId: string;
}

/** Number of processes that may die on a message before it is marked as failed. */
const maxAttempts = 8;

/** Schedules the processing of a queue, now or in `delayMs`. */
export const scheduleQueue = (ctx: Ctx, { integrationId, chatId, personId }: ChatQueue, delayMs = 0): Promise<void> =>
  enqueueTask(
    ctx,
    'integration.answer',
    { integrationId, chatId, personId },
    { key: `${integrationId} ${chatId} ${personId}`, maxAttempts, delayMs },
  );
