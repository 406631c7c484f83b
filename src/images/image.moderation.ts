import type { Ctx } from '../core/ctx.ts';
import { isId } from '../core/ids.ts';
import type { ReportableKind, VisibilityAction } from '../moderation/subjects.ts';
import type { Image, ImageModerationState } from './image.entity.ts';
import { imageColumns, imageUrls } from './image.ts';
import {
  findRemoteCopy,
  isRemoteId,
  remoteIdIn,
  setRemoteState,
  showRemoteCopy,
} from './remote/remote-image.moderation.ts';

const find = {
  name: 'image_to_moderate',
  text: `select ${imageColumns} from images i where (i.id = $1 or i.token = $2) and i.status = 'ready'`,
};
/** Returns the token in a public URL, whatever its host. */
const tokenIn = (address: string): string | null => /\/images\/([\w-]{22})\//.exec(address)?.[1] ?? null;

const read = async (ctx: Ctx, named: string): Promise<Image | undefined> => {
  const token = tokenIn(named);
  return isId('img_', named) || token ? (await ctx.sql<Image>(find, [named, token]))[0] : undefined;
};

/** Images as a kind of content that users can report, by id or by URL: URLs are public. Copies of external avatars are among them. */
export const reportableImage: ReportableKind = {
  type: 'image',
  async find(ctx, named) {
    const remoteId = remoteIdIn(ctx, named);
    if (remoteId !== null) return findRemoteCopy(ctx, remoteId);
    const image = await read(ctx, named);
    const isOwn = ctx.actor.kind === 'user' && ctx.actor.userId === image?.ownerId;
    const isSeen = image && image.moderationState !== 'removed' && (isOwn || tokenIn(named) !== null);
    return isSeen ? { id: image.id, authorId: image.ownerId } : null;
  },
  async show(ctx, id) {
    if (isRemoteId(id)) return showRemoteCopy(ctx, id);
    const image = await read(ctx, id);
    if (!image) return null;
    const { large, medium } = imageUrls(ctx.config, image);
    return {
      authorId: image.ownerId,
      title: image.kind === 'avatar' ? 'Avatar' : 'Banner',
      text: image.prompt ?? '',
      imageUrl: large ?? medium,
      state: image.moderationState,
      marks: [],
    };
  },
  change: changeImage,
};

const states: Readonly<Record<VisibilityAction, ImageModerationState>> = {
  hold: 'held',
  remove: 'removed',
  restore: 'ok',
};

// A hold does not change a removed image.
const setState = {
  name: 'image_moderation_state',
  text: `
    update images set moderation_state = $2 where id = $1 and moderation_state <> $2 and ($2 <> 'held' or moderation_state = 'ok')
    returning id`,
};

/** Changes the moderation state. A removed image is no longer served at its URLs. */
async function changeImage(tx: Ctx, id: string, action: VisibilityAction): Promise<boolean> {
  if (isRemoteId(id)) return setRemoteState(tx, id, states[action]);
  return (await tx.sql(setState, [id, states[action]])).length > 0;
}
