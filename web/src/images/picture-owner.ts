import type { ImageKind } from '../api/generated/operations.ts';

/** What a picture belongs to: an agent, or without one the person. */
export interface PictureOwner {
  kind: ImageKind;
  agentId: string | null;
  name: string;
  picture: { small: string; medium: string; aiGenerated: boolean } | null;
}

/** Width by height of each kind. */
export const aspects: Readonly<Record<ImageKind, number>> = { AVATAR: 1, BANNER: 3 };

/** A banner as what a picture editor changes. */
export const bannerOwner = (agentId: string | null, name: string, bannerUrl: string | null): PictureOwner => ({
  kind: 'BANNER',
  agentId,
  name,
  picture: bannerUrl === null ? null : { small: bannerUrl, medium: bannerUrl, aiGenerated: false },
});
