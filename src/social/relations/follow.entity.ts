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

/** A follow: the follower's feed shows the followee's activities. */
export class Follow extends FollowSchema.class {}
FollowSchema.setClass(Follow);
