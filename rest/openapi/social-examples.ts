import { uuid } from './example-uuid.ts';

/** Example values of the fields of profiles, shares and the feed, by `Type.field` or by the field alone. */
export const socialExamples: Readonly<Record<string, unknown>> = {
  user_id: `usr_${uuid}`,
  'Activity.id': `act_${uuid}`,
  since: `act_${uuid}`,
  'Profile.id': `usr_${uuid}`,
  'PublicProfile.id': `usr_${uuid}`,
  'Share.id': `shr_${uuid}`,
  'SharePreview.id': `shr_${uuid}`,
  'SharedConversation.id': `shr_${uuid}`,
  'shares.id': `shr_${uuid}`,
  'SharedConversation.agent_name': 'Ada',
  'Listing.like_count': 40,
  banner_url: 'https://chat.example.com/images/t4Zx0mWcQf2uKq8nVb1yRA/large.webp',
  agent_count: 3,
  follower_count: 12,
  following_count: 7,
  view_count: 25,
  up_to_message_id: `msg_${uuid}`,
  token: 'Q2m8ZxVtXbLkP4sHf8WcJy1GnDu5EaTiKo0RvBqYhM9',
};
