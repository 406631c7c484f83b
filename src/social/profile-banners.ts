import type { BannerTarget } from '../images/banner-targets.ts';
import { tokenIn } from '../images/image.ts';
import { getOwnProfile } from './profiles.ts';

const show = {
  name: 'profile_show_banner',
  text: `
    insert into profiles (user_id, banner_id, created_at)
    values ($1, (select i.id from images i where i.token = $2 and i.owner_id = $1), $3)
    on conflict (user_id) do update set banner_id = excluded.banner_id`,
};
const find = {
  name: 'profile_that_shows',
  text: `
    select p.user_id as id, u.username as name
    from images i join profiles p on p.banner_id = i.id and p.user_id = i.owner_id join users u on u.id = p.user_id
    where i.token = $2 and i.owner_id = $1`,
};

/** Lets a profile display one of its owner's banners. */
export const profileBanners: BannerTarget = {
  of: 'profile',
  read: async (tx) => (await getOwnProfile(tx)).bannerUrl,
  async show(tx, userId, url) {
    await tx.sql(show, [userId, url === null ? null : tokenIn(tx.config, url), tx.clock.now()]);
  },
  find: (tx, userId, url) => tx.sql<{ id: string; name: string }>(find, [userId, tokenIn(tx.config, url)]),
};
