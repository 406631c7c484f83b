import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import { Image } from '../images/image.entity.ts';
import type { ProfileVisibility } from './social.input.ts';

const ProfileSchema = defineEntity({
  name: 'Profile',
  tableName: 'profiles',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    bannerId: p.manyToOne(Image).mapToPk().name('banner_id').deleteRule('set null').strictNullable(),
    visibility: p.text().$type<ProfileVisibility>().default('public'),
    showFollowing: p.boolean().default(true),
    showMature: p.boolean().default(false),
    /** Set by moderators: other users get `not_found` for the profile. */
    removed: p.boolean().default(false),
    followerCount: p.integer().default(0),
    followingCount: p.integer().default(0),
    noticeDue: p.boolean().default(false),
    noticedAt: p.datetime(3).strictNullable(),
    eventSequence: p.integer().default(0),
    recountDue: p.boolean().default(false),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
});

/** Profile fields that are not part of the account. The row is created on first use; the defaults apply until then. */
export class Profile extends ProfileSchema.class {}
ProfileSchema.setClass(Profile);
