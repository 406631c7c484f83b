import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { ReportableKind } from '../../moderation/subjects.ts';
import type { ImageModerationState } from '../image.entity.ts';
import { isSigned, proxiedUrl } from './remote-address.ts';

const idForm = /^[0-9a-f]{64}$/;

/** Returns whether this is the id of a copy of an external picture, whose cases are those of an image. */
export const isRemoteId = (id: string): boolean => idForm.test(id);

/** Returns the id of the copy at an address of this service; null for any other address. */
export function remoteIdIn({ config }: Pick<Ctx, 'config'>, address: string): string | null {
  if (!address.includes('/images/remote/') || !URL.canParse(address)) return null;
  const { pathname, searchParams } = new URL(address);
  const url = searchParams.get('url') ?? '';
  const signature = /\/images\/remote\/([\w-]+)\.webp$/.exec(pathname)?.[1] ?? '';
  return isSigned(config, url, signature) ? sha256(url).toString('hex') : null;
}

interface Copy {
  ownerId: string;
  state: ImageModerationState;
  /** External avatars of the owner. */
  urls: string[];
}

const findCopy = {
  name: 'remote_image_to_moderate',
  text: `
    select r.owner_id as "ownerId", r.moderation_state as state, array(
      select u.avatar_url from users u where u.id = r.owner_id and u.avatar_url is not null
      union select a.avatar_url from agents a where a.owner_id = r.owner_id and a.avatar_url is not null) as urls
    from remote_images r where r.id = $1 and r.owner_id is not null`,
};

/** Finds a copy by its id. */
export async function findRemoteCopy(ctx: Ctx, id: string): Promise<{ id: string; authorId: string } | null> {
  const [copy] = await ctx.sql<Copy>(findCopy, [id]);
  return copy && copy.state !== 'removed' ? { id, authorId: copy.ownerId } : null;
}

/** Reads a copy for moderators, in any state. */
export const showRemoteCopy: ReportableKind['show'] = async (ctx, id) => {
  const [copy] = await ctx.sql<Copy>(findCopy, [id]);
  if (!copy) return null;
  const url = copy.urls.find((shown) => sha256(shown).toString('hex') === id);
  return {
    authorId: copy.ownerId,
    title: 'Avatar on another host',
    text: url ?? '',
    imageUrl: url === undefined ? null : proxiedUrl(ctx.config, url),
    state: copy.state,
    marks: [],
  };
};

const setState = {
  name: 'remote_image_moderation_state',
  text: `
    update remote_images set moderation_state = $2
    where id = $1 and moderation_state <> $2 and ($2 <> 'held' or moderation_state = 'ok') returning id`,
};

/** Changes the moderation state. A removed copy is not served, and its picture is not fetched again. */
export const setRemoteState = async (tx: Ctx, id: string, state: ImageModerationState): Promise<boolean> =>
  (await tx.sql(setState, [id, state])).length > 0;
