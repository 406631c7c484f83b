import type { Platform } from '../api/generated/operations.ts';
import { texts } from './texts.ts';

interface PlatformWords {
  name: string;
  lead: string;
  /** Steps on the platform before connecting. `{events}` is the URL to which Slack sends events. */
  steps: readonly string[];
  /** The platform's term for a server or workspace; null where there is none. */
  place: string | null;
  placeHint: string;
}

/** Texts of each platform. A missing one is a compile error. */
export const platforms: Readonly<Record<Platform, PlatformWords>> = {
  CHAT_SERVER: {
    name: texts.discord,
    lead: texts.repliesChannelsCommunityServer,
    steps: [
      texts.createApplicationDiscordDeveloper,
      texts.underBotSwitchMessage,
      texts.underOauth2InviteServer,
      texts.underBotPressReset,
    ],
    place: texts.server,
    placeHint: texts.number1720Digits,
  },
  CHAT_MESSENGER: {
    name: texts.telegram,
    lead: texts.repliesEveryoneWhoWrites,
    steps: [texts.writeNewbotBotfatherTelegram, texts.groupsWriteSetprivacyChoose, texts.copyTokenSendsHere],
    place: null,
    placeHint: '',
  },
  CHAT_WORKSPACE: {
    name: texts.slack,
    lead: texts.repliesChannelsWorkspace,
    steps: [
      texts.createAppApiSlack,
      texts.underEventSubscriptionsPaste,
      texts.installAppWorkspaceInvite,
      texts.copyBotUserOauth,
    ],
    place: texts.workspace,
    placeHint: texts.beginsTAddressSlack,
  },
};

export const platformKinds = Object.keys(platforms) as Platform[];
