import { z } from 'zod';
import { recordAudit } from '../accounts/audit.ts';
import { sendMail } from '../accounts/mail/mails.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { characters, text } from '../core/text/text-input.ts';
import { asOwner } from './as-owner.ts';
import type { Image } from './image.entity.ts';
import { imageColumns } from './image.ts';
import { removeImageFiles } from './image-files.ts';
import { deleteImage } from './images.ts';
import { findRemoteCopy, remoteIdIn, setRemoteState } from './remote/remote-image.moderation.ts';

const takeDownInput = z.strictObject({
  /** Id of an image, or one of its public URLs. */
  image: characters({ min: 1, max: 500 }),
  /** Reason, for the owner of the image. */
  statement: text({ min: 1, max: 4_000 }),
});

const find = {
  name: 'image_to_take_down',
  text: `select ${imageColumns} from images i where i.id = $1 or i.token = $2`,
};
/** Returns the token in a public URL, whatever its host: a cache in front of the service may have another host name. */
const tokenIn = (address: string): string | null => /\/images\/([\w-]{22})\//.exec(address)?.[1] ?? null;

const findOwner = { name: 'image_owner_name', text: `select username from users where id = $1` };

export interface TakenDown {
  id: string;
  ownerId: string;
}

/**
 * Takes down an image for the operator: clears the fields that show it, deletes its row, so that its URLs stop working
 * immediately, and mails the reason to the owner. Its files are removed before this returns.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function takeDownImage(ctx: Ctx, input: unknown): Promise<TakenDown> {
  const { image: named, statement } = parseInput(takeDownInput, input);
  const remoteId = remoteIdIn(ctx, named);
  if (remoteId !== null) return takeDownCopy(ctx, remoteId, statement);
  const [image] = await ctx.sql<Image>(find, [named, tokenIn(named)]);
  if (!image) throw notFound();
  const { id, ownerId } = image;
  await inTransaction(ctx, async (tx) => {
    const plan = await lockPlan(tx, ownerId);
    await deleteImage(asOwner(tx, ownerId, plan), id, true);
    await notifyOwner(tx, ownerId, id, statement);
  });
  // If this process dies here, the task that the deletion has enqueued removes the files.
  await removeImageFiles(ctx, id);
  return { id, ownerId };
}

async function notifyOwner(tx: Ctx, ownerId: string, id: string, statement: string): Promise<void> {
  await recordAudit(tx, ownerId, 'image.taken_down', id);
  const [owner] = await tx.sql<{ username: string }>(findOwner, [ownerId]);
  const data = { username: owner?.username ?? '', imageId: id, statement };
  await sendMail(tx, { userId: ownerId, template: 'imageTakenDown', data });
}

/** Takes down the copy of an external avatar. Its picture is not fetched again. */
async function takeDownCopy(ctx: Ctx, id: string, statement: string): Promise<TakenDown> {
  const copy = await findRemoteCopy(ctx, id);
  if (!copy) throw notFound();
  const { authorId: ownerId } = copy;
  await inTransaction(ctx, async (tx) => {
    await setRemoteState(tx, id, 'removed');
    await notifyOwner(tx, ownerId, id, statement);
  });
  return { id, ownerId };
}
