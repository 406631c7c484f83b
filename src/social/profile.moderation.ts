import { blockSubject } from '../accounts/blocks/blocks.ts';
import { isNamed, typedUsername } from '../accounts/usernames.ts';
import type { ReportableKind } from '../moderation/subjects.ts';
import { isVisible } from './profiles.ts';

const findVisible = {
  name: 'profile_to_report',
  text: `
    select u.id from users u left join profiles p on p.user_id = u.id
    where (u.id = $1 or ${isNamed('u', '$1')}) and ${isVisible('u', 'p', '$2')} limit 1`,
};
const show = {
  name: 'profile_to_moderate',
  text: `
    select u.username, u.display_name as "displayName", u.bio, u.avatar_url as "imageUrl", coalesce(p.removed, false) as removed
    from users u left join profiles p on p.user_id = u.id where u.id = $1`,
};
const setRemoved = {
  name: 'profile_set_removed',
  text: `
    insert into profiles as p (user_id, removed) values ($1, $2)
    on conflict (user_id) do update set removed = excluded.removed where p.removed <> excluded.removed
    returning 1`,
};

interface ShownProfile {
  username: string;
  displayName: string | null;
  bio: string | null;
  imageUrl: string | null;
  removed: boolean;
}

/** Lets people report users, by id or username. A hold is a no-op, because profiles appear in no public list. */
export const reportableUser: ReportableKind = {
  type: 'user',
  async find(ctx, named) {
    const [user] = await ctx.sql<{ id: string }>(findVisible, [typedUsername(named), blockSubject(ctx)]);
    return user ? { id: user.id, authorId: user.id } : null;
  },
  async show(ctx, id) {
    const [user] = await ctx.sql<ShownProfile>(show, [id]);
    if (!user) return null;
    return {
      authorId: id,
      title: user.displayName ?? user.username,
      text: [user.username, user.bio].filter(Boolean).join('\n'),
      imageUrl: user.imageUrl,
      state: user.removed ? 'removed' : 'ok',
      marks: [],
    };
  },
  async change(tx, id, action) {
    if (action === 'hold') return false;
    return (await tx.sql(setRemoved, [id, action === 'remove'])).length > 0;
  },
};
