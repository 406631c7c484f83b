import { callerId } from '../accounts/caller.ts';
import { updateProfile } from '../accounts/accounts.ts';
import { updateAgent } from '../agents/update-agent.ts';
import { hasScope, requireUser, type Scope } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import type { ImageKind } from './encoding/variants.ts';
import type { Image } from './image.entity.ts';
import { applyImageInput } from './image.input.ts';
import { bannerTarget } from './banner-targets.ts';
import { appliedUrl, lockOwnImage } from './image.ts';

/** Where an image is shown: on an agent, or on the caller's profile when `agentId` is null. */
export interface ImageTarget {
  agentId: string | null;
}

const lockAgent = {
  name: 'image_lock_agent',
  text: `
    select avatar_url as "url" from agents where id = $1 and owner_id = $2 and deleted_at is null for no key update`,
};
const readProfile = { name: 'image_read_profile', text: `select avatar_url as "url" from users where id = $1` };
const markUsed = { name: 'image_mark_used', text: `update images set expires_at = null where id = $1` };

/**
 * Shows an image on an agent or the profile of the caller.
 * @throws AppError `not_found`, `conflict` while it is not ready or after moderators removed it, `invalid_request`,
 * `insufficient_scope`, `forbidden`
 */
export async function applyImage(ctx: Ctx, id: string, input: unknown): Promise<Image> {
  const { agentId = null } = parseInput(applyImageInput, input);
  requireApplyScope(ctx, { agentId });
  await requireUnrestricted(ctx);
  return inTransaction(ctx, async (tx) => {
    const image = await lockOwnImage(tx, id);
    if (image.status !== 'ready') throw new AppError('conflict', { message: 'The image is not ready.' });
    if (image.moderationState === 'removed')
      throw new AppError('conflict', { message: 'Moderators removed this image, so it cannot be shown.' });
    await lockTarget(tx, image.kind, { agentId });
    await showImage(tx, image, { agentId });
    return Object.assign(image, { expiresAt: null });
  });
}

/**
 * Checks the scope for showing an image, which changes an agent or an account.
 * @throws AppError `insufficient_scope`
 */
export function requireApplyScope(ctx: Ctx, { agentId }: ImageTarget): void {
  const scope: Scope = agentId === null ? 'account:write' : 'agents:write';
  if (hasScope(requireUser(ctx.actor).scopes, scope)) return;
  throw new AppError('insufficient_scope', { message: `Applying an image requires the scope \`${scope}\`.` });
}

/**
 * Returns the URL of the image that is shown there now, and locks an agent.
 * @throws AppError `not_found`, `invalid_request` for a banner where there are none
 */
export async function lockTarget(tx: Ctx, kind: ImageKind, { agentId }: ImageTarget): Promise<string | null> {
  if (agentId !== null && !isUuid(agentId)) throw notFound();
  const [shown] = await (agentId === null
    ? tx.sql<{ url: string | null }>(readProfile, [callerId(tx)])
    : tx.sql<{ url: string | null }>(lockAgent, [agentId, callerId(tx)]));
  if (!shown) throw notFound();
  if (kind === 'banner') return bannerTarget(tx, { agentId }).read(tx, agentId ?? callerId(tx));
  return shown.url;
}

/** Shows an image on an agent or the profile, in the transaction. The image must belong to the caller. */
export async function showImage(tx: Ctx, image: Image, { agentId }: ImageTarget): Promise<void> {
  const avatarUrl = appliedUrl(tx.config, image);
  if (image.kind === 'banner') await bannerTarget(tx, { agentId }).show(tx, agentId ?? callerId(tx), avatarUrl);
  else if (agentId === null) await updateProfile(tx, { avatarUrl });
  else await updateAgent(tx, agentId, { avatarUrl });
  await tx.sql(markUsed, [image.id]);
}
