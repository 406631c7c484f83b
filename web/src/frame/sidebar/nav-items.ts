import {
  Activity,
  Bot,
  Code,
  Compass,
  Gavel,
  KeyRound,
  MessageSquare,
  Newspaper,
  Plug,
  SlidersHorizontal,
  Store,
  Users,
  Webhook,
} from 'lucide-react';
import { common } from '../../parts/common-texts.ts';
import { texts } from '../texts.ts';

/** The screens in the sidebar and the palette. The shortcut is `g`, then `key`. */
export const navItems = [
  { to: '/chat', label: texts.chat, Icon: MessageSquare, key: 'c' },
  { to: '/agents', label: common.agents, Icon: Bot, key: 'a' },
  { to: '/rooms', label: texts.rooms, Icon: Users, key: 'r' },
  { to: '/explore', label: texts.explore, Icon: Compass, key: 'e' },
  { to: '/marketplace', label: texts.marketplace, Icon: Store, key: 'p' },
  { to: '/feed', label: texts.feed, Icon: Newspaper, key: 'f' },
  { to: '/integrations', label: common.integrations, Icon: Plug, key: 'i' },
  { to: '/embeds', label: texts.embeds, Icon: Code, key: 'm' },
  { to: '/webhooks', label: texts.webhooks, Icon: Webhook, key: 'w' },
  { to: '/events', label: common.events, Icon: Activity, key: 't' },
  { to: '/api-keys', label: texts.apiKeys, Icon: KeyRound, key: 'k' },
] as const;

/** For moderators only. */
export const moderation = { to: '/moderation', label: texts.moderation, Icon: Gavel, key: 'd' } as const;

export const settings = {
  to: '/settings/profile',
  label: texts.settings,
  Icon: SlidersHorizontal,
  key: 's',
} as const;
