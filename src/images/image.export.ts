import type { ExportedFile, ExportFiles, ExportSection } from '../core/feature.ts';
import { originalKey, variantKey } from './image-files.ts';

/** Section of a data export: images. */
export const imageExport: ExportSection = {
  path: 'images.json',
  statement: {
    name: 'export_images',
    text: `
      select id, agent_id, kind, source, status, prompt, style, error_code, error_message, created_at, expires_at from images
      where owner_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};

const listFiles = {
  name: 'export_image_files',
  text: `
    select id, folder, source from images where owner_id = $1 and status = 'ready' and id > $2 order by id limit 100`,
};

/** Lists the provider's originals, and the largest variants of uploads, whose originals are not kept. */
export const imageFiles: ExportFiles = async function* files(ctx, userId): AsyncGenerator<ExportedFile, void, void> {
  for (let after = ''; ;) {
    const page = await ctx.sql<{ id: string; folder: string; source: string }>(listFiles, [userId, after]);
    for (const image of page) {
      if (image.source === 'generated') yield { name: `${image.id}.png`, key: originalKey(image) };
      else yield { name: `${image.id}.webp`, key: variantKey(image, 'large') };
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
};
