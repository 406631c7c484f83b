import { defineEntity, p } from '@mikro-orm/postgresql';

const RemoteImageSchema = defineEntity({
  name: 'RemoteImage',
  tableName: 'remote_images',
  properties: {
    /** SHA-256 of the address, in hex. */
    id: p.text().primary(),
    isUsable: p.boolean(),
    folder: p.text().strictNullable(),
    expiresAt: p.datetime(3),
  },
});

/** What became of fetching a picture from an address elsewhere. */
export class RemoteImage extends RemoteImageSchema.class {}
RemoteImageSchema.setClass(RemoteImage);
