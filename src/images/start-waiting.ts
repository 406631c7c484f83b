import type { Ctx } from '../core/ctx.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';

/** Largest number of images of an account that are generated concurrently. */
const maxInProgress = 2;

const startNext = {
  name: 'images_start_next',
  text: `
    update images set started_at = now() where id = any (array(
      select id from images where owner_id = $1 and status = 'processing' and started_at is null order by created_at, id
      limit greatest(${maxInProgress} - (
        select count(*) from images where owner_id = $1 and status = 'processing' and started_at is not null), 0)))
    returning id`,
};

/** Number of attempts, each of which may end with its process, after which an image fails. */
const maxAttempts = 3;

/** Enqueues the next images of an account. The caller holds the lock of the user's row. */
export async function startWaiting(tx: Ctx, ownerId: string): Promise<void> {
  for (const { id } of await tx.sql<{ id: string }>(startNext, [ownerId]))
    await enqueueTask(tx, 'image.make', { imageId: id }, { key: id, maxAttempts });
}
