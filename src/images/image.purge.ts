import type { PurgeStep } from '../core/feature.ts';
import { removeImageFiles } from './image-files.ts';

const listImages = {
  name: 'purge_images',
  text: `select id from images where owner_id = $1 and id > $2 order by id limit 100`,
};

/** Removes the files of an account's images. */
export const purgeImages: PurgeStep = {
  name: 'images',
  purge: async (ctx, userId, signal) => {
    let images = 0;
    for (let after = ''; ;) {
      const page = await ctx.sql<{ id: string }>(listImages, [userId, after]);
      for (const { id } of page) {
        signal.throwIfAborted();
        await removeImageFiles(ctx, id);
      }
      images += page.length;
      const last = page.at(-1);
      if (!last) return { image_files: images };
      after = last.id;
    }
  },
};
