import type { Ctx } from '../core/ctx.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';

/** Images of an account that are made at a time. */
const maxUnderWay = 2;

const startNext = {
  name: 'images_start_next',
  text: `
    update images set started_at = now() where id = any (array(
      select id from images where owner_id = $1 and status = 'processing' and started_at is null order by created_at, id
      limit greatest(${maxUnderWay} - (
        select count(*) from images where owner_id = $1 and status = 'processing' and started_at is not null), 0)))
    returning id`,
};

/** Images may die with a process three times: then they fail. */
const maxAttempts = 3;

/** Enqueues the next images of an account, whose row must be locked. */
export async function startWaiting(tx: Ctx, ownerId: string): Promise<void> {
  for (const { id } of await tx.sql<{ id: string }>(startNext, [ownerId]))
    await enqueueTask(tx, 'image.make', { imageId: id }, { key: id, maxAttempts });
}
