import type { Config } from '../core/config/config.ts';
import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { Image } from './image.entity.ts';
import { imageUrls, type ImageUrls } from './image.ts';

export interface ImageEventData {
  id: string;
  kind: string;
  source: string;
  status: string;
  prompt: string | null;
  style: string | null;
  agentId: string | null;
  urls: ImageUrls | null;
  placeholder: string | null;
  aiGenerated: boolean;
  error: { code: string; message: string } | null;
  createdAt: Date;
  expiresAt: Date | null;
  sequence: number;
}

interface ImageEvents {
  'image.ready': ImageEventData;
  'image.failed': ImageEventData;
}

declare module '../core/outbox.ts' {
  interface EventData extends ImageEvents {}
}

const { agentId, at, later } = exampleValues;
const address = 'https://chat.example/images/t4Zx0mWcQf2uKq8nVb1yRA';
const example: ImageEventData = {
  id: 'img_019bc0de-0000-7000-8000-000000000007',
  kind: 'avatar',
  source: 'generated',
  status: 'ready',
  prompt: 'A friendly owl with round glasses.',
  style: 'watercolor',
  agentId,
  urls: { small: `${address}/small.webp`, medium: `${address}/medium.webp`, large: `${address}/large.webp` },
  placeholder: 'data:image/webp;base64,UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA=',
  aiGenerated: true,
  error: null,
  createdAt: at,
  expiresAt: later,
  sequence: 1,
};

export const imageEvents: EventEntries<ImageEvents> = {
  'image.ready': {
    description: 'A requested image was generated. `data` is the image as its owner sees it.',
    data: [{ resource: 'Image' }],
    example,
  },
  'image.failed': {
    description: 'A requested image could not be generated; it does not count against the daily limit.',
    data: [{ resource: 'Image' }],
    example: {
      ...example,
      status: 'failed',
      urls: null,
      placeholder: null,
      error: {
        code: 'content_refused',
        message: 'The provider refuses to generate this image. Describe something else.',
      },
    },
  },
};

/** Returns an image as its owner sees it, in event data. The sequence is 1, because an image has only one event. */
export const imageEventData = (config: Config, image: Image): ImageEventData => ({
  ...describeImage(config, image),
  sequence: 1,
});

/** Returns an image as its owner sees it. */
export const describeImage = (config: Config, image: Image): Omit<ImageEventData, 'sequence'> => ({
  id: image.id,
  kind: image.kind,
  source: image.source,
  status: image.status,
  prompt: image.prompt ?? null,
  style: image.style ?? null,
  agentId: image.agentId ?? null,
  urls: image.status === 'ready' ? imageUrls(config, image) : null,
  placeholder: image.placeholder ?? null,
  aiGenerated: image.source === 'generated',
  error: image.errorCode ? { code: image.errorCode, message: image.errorMessage ?? '' } : null,
  createdAt: image.createdAt,
  expiresAt: image.expiresAt ?? null,
});
