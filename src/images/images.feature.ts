import type { Feature } from '../core/feature.ts';
import { Image } from './image.entity.ts';
import { imageEvents } from './image.events.ts';
import { reportableImage } from './image.moderation.ts';
import { imageExport, imageFiles } from './image.export.ts';
import { removeImageFiles } from './image-files.ts';
import { purgeImages } from './image.purge.ts';
import { expireImages } from './expire-images.ts';
import { imageSettings } from './images.settings.ts';
import { markImageFailed, makeImage } from './make-image.ts';
import { RemoteImage } from './remote/remote-image.entity.ts';
import { remoteImageExpiry, removeRemoteFile } from './remote/remote-image.ts';
import { abandonImage } from './upload-image.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    img_: 'image';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'images:read': true;
    'images:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'image.make': { imageId: string };
    'image.remove': { imageId: string };
    'image.abandon': { imageId: string };
    'remote-image.remove': { id: string; folder: string };
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    imagesPerDay: number;
    imagesKept: number;
  }
}

export const images: Feature = {
  name: 'images',
  settings: imageSettings,
  entities: [Image, RemoteImage],
  idPrefixes: { image: 'img_' },
  scopes: ['images:read', 'images:write'],
  events: imageEvents,
  planLimits: {
    imagesPerDay: { free: 3, plus: 20, pro: 60, creator: 200 },
    imagesKept: { free: 20, plus: 200, pro: 500, creator: 2_000 },
  },
  jobs: [
    {
      kind: 'image.make',
      concurrency: 8,
      // Longer than the longest configurable time limit of a provider.
      timeoutMs: 900_000,
      retryDelaysSeconds: [1, 5],
      handle: (ctx, { imageId }, run) => makeImage(ctx, imageId, run),
      failed: (ctx, { imageId }) => markImageFailed(ctx, imageId),
    },
    {
      // Enqueued by a database trigger for every deleted image.
      kind: 'image.remove',
      concurrency: 4,
      retryDelaysSeconds: [2, 5, 15, 60],
      handle: async (ctx, { imageId }) => void (await removeImageFiles(ctx, imageId)),
    },
    {
      // Enqueued by a database trigger for every copy that is deleted or replaced.
      kind: 'remote-image.remove',
      concurrency: 4,
      retryDelaysSeconds: [2, 5, 15, 60],
      handle: (ctx, copy) => removeRemoteFile(ctx, copy),
    },
    {
      // Removes the files of an upload whose process died before they became an image.
      kind: 'image.abandon',
      retryDelaysSeconds: [2, 5, 15, 60],
      handle: (ctx, { imageId }) => abandonImage(ctx, imageId),
    },
  ],
  expiries: [{ name: 'images', remove: expireImages }, remoteImageExpiry],
  reportable: [reportableImage],
  purge: [purgeImages],
  exportSections: [imageExport],
  exportFiles: [imageFiles],
};
