import type { Ctx } from '../core/ctx.ts';
import { enqueueTask } from '../core/tasks.ts';

/** A person in a chat: their messages are answered one after the other, those of others meanwhile. */
export interface Lane {
  integrationId: string;
  chatId: string;
  personId: string;
}

/** The kind of the task that answers a lane's messages. */
export const answerTask = 'integration.answer';

/** Processes that may die on a message before it is given up. */
const maxAttempts = 8;

/** Has a lane's messages answered, now or at `runAt`. */
export const enqueueLane = (ctx: Ctx, { integrationId, chatId, personId }: Lane, runAt?: Date): Promise<void> =>
  enqueueTask(
    ctx,
    answerTask,
    { integrationId, chatId, personId },
    { key: `${integrationId} ${chatId} ${personId}`, maxAttempts, ...(runAt ? { runAt } : {}) },
  );
