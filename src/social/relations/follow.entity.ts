import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';

const FollowSchema = defineEntity({
  name: 'Follow',
  tableName: 'follows',
  properties: {
    followerId: p.manyToOne(User).mapToPk().name('follower_id').deleteRule('cascade').primary(),
    followeeId: p.manyToOne(User).mapToPk().name('followee_id').deleteRule('cascade').primary(),
    createdAt: p.datetime(3),
  },
});

/** A user who sees in the feed what another brings. */
export class Follow extends FollowSchema.class {}
FollowSchema.setClass(Follow);
