import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import type { ImageModerationState } from '../image.entity.ts';

const RemoteImageSchema = defineEntity({
  name: 'RemoteImage',
  tableName: 'remote_images',
  properties: {
    /** SHA-256 of the URL, in hex. */
    id: p.text().primary(),
    /** Account that showed the picture when it was fetched, against which its bytes count. Null for rows to remove. */
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade').strictNullable(),
    isUsable: p.boolean(),
    folder: p.text().strictNullable(),
    sizeBytes: p.integer().default(0),
    /** `removed` disables the URL of the copy. */
    moderationState: p.text().$type<ImageModerationState>().default('ok'),
    expiresAt: p.datetime(3),
  },
});

/** Outcome of fetching an image from an external URL. */
export class RemoteImage extends RemoteImageSchema.class {}
RemoteImageSchema.setClass(RemoteImage);
