import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from './user.entity.ts';

const OldUsernameSchema = defineEntity({
  name: 'OldUsername',
  tableName: 'old_usernames',
  properties: {
    nameHash: p.blob().$type<Buffer>().primary(),
    /** Null once the account is purged, like the account. */
    username: p.text().strictNullable(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('set null').strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});

/** A former username. It leads to its account until it expires. */
export class OldUsername extends OldUsernameSchema.class {}
OldUsernameSchema.setClass(OldUsername);
