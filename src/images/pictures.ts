import type { Ctx } from '../core/ctx.ts';
import type { Image } from './image.entity.ts';
import { imageUrls, tokenIn } from './image.ts';
import { proxiedUrl } from './remote/remote-address.ts';

/** URLs at which this service serves a picture. */
export interface Picture {
  small: string;
  medium: string;
  large: string;
  placeholder: string | null;
  aiGenerated: boolean;
}

const findByTokens = {
  name: 'images_by_tokens',
  text: `select token, kind, placeholder, source from images where token = any ($1) and status = 'ready' and moderation_state <> 'removed'`,
};

/**
 * Returns the pictures with these URLs, in their order: the service's own files, and its copies of external ones. Null
 * where there is none.
 */
export async function picturesOf(ctx: Ctx, urls: readonly string[]): Promise<(Picture | null)[]> {
  const tokens = urls.map((url) => tokenIn(ctx.config, url));
  const own = tokens.filter((token) => token !== null);
  const rows =
    own.length === 0
      ? []
      : await ctx.sql<Pick<Image, 'token' | 'kind' | 'placeholder' | 'source'>>(findByTokens, [own]);
  const images = new Map(rows.map((image) => [image.token, image]));
  return urls.map((url, i) => {
    const token = tokens[i];
    if (!token) return copied(ctx, url);
    const image = images.get(token);
    if (!image) return null;
    const { small, medium, large } = imageUrls(ctx.config, image);
    return {
      small: small ?? medium ?? '',
      medium: medium ?? '',
      large: large ?? '',
      placeholder: image.placeholder ?? null,
      aiGenerated: image.source === 'generated',
    };
  });
}

function copied({ config }: Ctx, url: string): Picture | null {
  const address = proxiedUrl(config, url);
  if (address === null) return null;
  return { small: address, medium: address, large: address, placeholder: null, aiGenerated: false };
}
