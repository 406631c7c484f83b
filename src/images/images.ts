import type { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import { updateProfile } from '../accounts/accounts.ts';
import { updateAgent } from '../agents/update-agent.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { FileMissing } from '../core/files.ports.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import type { Image } from './image.entity.ts';
import { listImagesInput } from './image.input.ts';
import { bannersThatShow } from './banner-targets.ts';
import { appliedUrl, getImage, imageColumns, lockOwnImage } from './image.ts';
import { originalKey } from './image-files.ts';
import { refundImage } from './image-quota.ts';
import { startWaiting } from './start-waiting.ts';

// A filter that is null is not applied.
const from = `images i where i.owner_id = $1 and ($2::text is null or i.kind = $2) and ($3::text is null or i.agent_id = $3)
  and ($4::text is null or i.status = $4)`;

const listNewest = orderedList<Image>({
  name: 'images_list',
  columns: imageColumns,
  from,
  valueCount: 4,
  key: { column: 'i.created_at', kind: 'time', of: (image) => image.createdAt },
  id: { column: 'i.id', of: ({ id }) => id },
});
const countAll = { name: 'images_count', text: `select count(*) as total from ${from}` };

/** Lists the caller's images, newest first. @throws AppError `invalid_request` */
export async function listImages(ctx: Ctx, input: unknown): Promise<Page<Image>> {
  const { kind, agentId, status, ...page } = parseInput(listImagesInput, input);
  const values = [callerId(ctx), kind ?? null, agentId ?? null, status ?? null];
  return withTotal(ctx, readSlice(ctx, listNewest, values, page), page, countAll, values);
}

/** Opens the provider's original with its own metadata. Uploads have none. @throws AppError `not_found` */
export async function openOriginal(ctx: Ctx, id: string): Promise<{ image: Image; content: Readable }> {
  const image = await getImage(ctx, id);
  if (image.source !== 'generated' || image.status !== 'ready') throw notFound();
  try {
    return { image, content: await ctx.ports.files.get(originalKey(image)) };
  } catch (error) {
    throw error instanceof FileMissing ? notFound() : error;
  }
}

const agentsThatShow = {
  name: 'image_agents_that_show',
  text: `select id, name from agents where owner_id = $1 and avatar_url = $2 and deleted_at is null order by id limit 100`,
};
const profileThatShows = {
  name: 'image_profile_that_shows',
  text: `select 1 as shows from users where id = $1 and avatar_url = $2`,
};
const deleteRow = { name: 'image_delete', text: `delete from images where id = $1` };

/**
 * Deletes an image: its URLs stop working immediately, and a task removes its files. An image whose generation has not
 * started is refunded.
 * @throws AppError `not_found`, `conflict` that lists where it is shown, unless `force` clears those fields
 */
export async function deleteImage(ctx: Ctx, id: string, force = false): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await lockPlan(tx, userId);
    const image = await lockOwnImage(tx, id);
    const url = appliedUrl(tx.config, image);
    const agents = await tx.sql<{ id: string; name: string }>(agentsThatShow, [userId, url]);
    const isOnProfile = (await tx.sql(profileThatShows, [userId, url])).length > 0;
    const banners = image.kind === 'banner' ? await bannersThatShow(tx, userId, url) : [];
    const [onAgents, onProfiles] = [
      banners.filter(({ of }) => of === 'agent'),
      banners.filter(({ of }) => of === 'profile'),
    ];
    if (!force) requireUnused([...agents, ...onAgents], isOnProfile || onProfiles.length > 0);
    for (const banner of banners) await banner.clear();
    for (const agent of agents) await updateAgent(tx, agent.id, { avatarUrl: null });
    if (isOnProfile) await updateProfile(tx, { avatarUrl: null });
    await tx.sql(deleteRow, [id]);
    if (image.status !== 'processing') return;
    if (!image.startedAt) await refundImage(tx, image);
    await startWaiting(tx, userId);
  });
  return { id, deleted: true };
}

function requireUnused(agents: readonly { name: string }[], isOnProfile: boolean): void {
  const uses = [...agents.map(({ name }) => `the agent “${name}”`), ...(isOnProfile ? ['your profile'] : [])];
  if (uses.length === 0) return;
  throw new AppError('conflict', {
    message: `This image is shown on ${uses.slice(0, 3).join(', ')}${uses.length > 3 ? ' and more' : ''}. Use force to remove it there too.`,
  });
}
