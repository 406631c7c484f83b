import type { ImageKind } from '../api/generated/operations.ts';

/** The owner of a picture: an agent, or the person when `agentId` is null. */
export interface PictureOwner {
  kind: ImageKind;
  agentId: string | null;
  name: string;
  picture: { small: string; medium: string; aiGenerated: boolean } | null;
}

/** Aspect ratio of each kind: width divided by height. */
export const aspects: Readonly<Record<ImageKind, number>> = { AVATAR: 1, BANNER: 3 };

/** Returns a banner as input of the picture editor. */
export const bannerOwner = (agentId: string | null, name: string, bannerUrl: string | null): PictureOwner => ({
  kind: 'BANNER',
  agentId,
  name,
  picture: bannerUrl === null ? null : { small: bannerUrl, medium: bannerUrl, aiGenerated: false },
});
