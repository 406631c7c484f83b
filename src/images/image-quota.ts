import { lockPlan } from '../accounts/plan.ts';
import { callerId } from '../accounts/caller.ts';
import { requireStorage } from '../billing/storage/stored-bytes.ts';
import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import type { Image } from './image.entity.ts';

const dayMs = 86_400_000;

const reserve = {
  name: 'images_reserve',
  text: `
    insert into usage_counters as u (user_id, day, messages, images) select $1, $2, 0, $3::integer where $3 <= $4::integer
    on conflict (user_id, day) do update set images = u.images + $3 where u.images + $3 <= $4
    returning images`,
};
const refund = {
  name: 'images_give_back',
  text: `update usage_counters set images = greatest(images - 1, 0) where user_id = $1 and day = $2`,
};
const refundWithinLimit = {
  name: 'images_give_back_some',
  text: `
    update usage_counters set images = greatest(images - 1, 0), image_refunds = image_refunds + 1
    where user_id = $1 and day = $2 and image_refunds < $3`,
};
const countKept = {
  name: 'images_count_kept',
  text: `select count(*) as total from images where owner_id = $1 and status <> 'failed'`,
};

/** Charges images to the caller's daily quota. Returns the day. @throws AppError `rate_limited` until UTC midnight */
export async function reserveImages(ctx: Ctx, plan: Plan, count: number): Promise<string> {
  const now = ctx.clock.now();
  const day = now.toISOString().slice(0, 10);
  const limit = ctx.catalog.planLimits.imagesPerDay[plan];
  if ((await ctx.sql(reserve, [callerId(ctx), day, count, limit])).length > 0) return day;
  throw new AppError('rate_limited', {
    message: `Your plan allows ${limit} images a day. The limit resets at midnight UTC.`,
    retryAfterSeconds: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000),
  });
}

type Charged = Pick<Image, 'ownerId' | 'quotaDay'>;

/** Refunds an image whose generation did not start or that the service did not finish; a no-op if none was charged. */
export async function refundImage(tx: Ctx, { ownerId, quotaDay }: Charged): Promise<void> {
  if (quotaDay) await tx.sql(refund, [ownerId, quotaDay]);
}

/**
 * Refunds an image that failed; a no-op if none was charged. An account gets at most as many such refunds a day as its
 * plan allows images, and the rest stays charged: otherwise a user could call the provider for free by failing on
 * purpose.
 */
export async function refundFailedImage(tx: Ctx, plan: Plan, { ownerId, quotaDay }: Charged): Promise<void> {
  if (quotaDay) await tx.sql(refundWithinLimit, [ownerId, quotaDay, tx.catalog.planLimits.imagesPerDay[plan]]);
}

/**
 * Checks the limits of kept images and of stored bytes and returns the plan. Locks the owner's row until the transaction ends, so that
 * parallel requests cannot exceed the limit.
 * @throws AppError `plan_limit_exceeded`
 */
export async function enforceKeptLimit(tx: Ctx, count: number, addedBytes = 0): Promise<Plan> {
  const plan = await lockPlan(tx, callerId(tx));
  const limit = tx.catalog.planLimits.imagesKept[plan];
  const [row] = await tx.sql<{ total: number }>(countKept, [callerId(tx)]);
  await requireStorage(tx, addedBytes);
  if ((row?.total ?? 0) + count <= limit) return plan;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan keeps ${limit.toLocaleString('en-US')} images. Delete some or choose a larger plan.`,
  });
}
