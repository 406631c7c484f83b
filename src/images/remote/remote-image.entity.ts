import { defineEntity, p } from '@mikro-orm/postgresql';

const RemoteImageSchema = defineEntity({
  name: 'RemoteImage',
  tableName: 'remote_images',
  properties: {
    /** SHA-256 of the URL, in hex. */
    id: p.text().primary(),
    isUsable: p.boolean(),
    folder: p.text().strictNullable(),
    expiresAt: p.datetime(3),
  },
});

/** Outcome of fetching an image from an external URL. */
export class RemoteImage extends RemoteImageSchema.class {}
RemoteImageSchema.setClass(RemoteImage);
