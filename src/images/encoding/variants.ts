/** Purpose of an image. */
export type ImageKind = 'avatar' | 'banner';

export const imageKinds = ['avatar', 'banner'] as const;

export const variantNames = ['small', 'medium', 'large'] as const;

export type VariantName = (typeof variantNames)[number];

export interface Size {
  width: number;
  height: number;
}

const square = (edge: number): Size => ({ width: edge, height: edge });
const wide = (width: number): Size => ({ width, height: width / 3 });

/** Sizes in which an image of each kind is served. */
export const variantSizes: Readonly<Record<ImageKind, Partial<Readonly<Record<VariantName, Size>>>>> = {
  avatar: { small: square(64), medium: square(256), large: square(1_024) },
  banner: { medium: wide(768), large: wide(1_536) },
};

/** Size of the largest variant of each kind. */
export const largestSize: Readonly<Record<ImageKind, Size>> = { avatar: square(1_024), banner: wide(1_536) };
