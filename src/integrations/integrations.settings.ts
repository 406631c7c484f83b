import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { key, url } from '../core/config/variables.ts';
import type { PlatformKind } from './platforms.ports.ts';

declare module '../core/config/config.ts' {
  interface Config {
    platforms: {
      /** Whether simulators on loopback replace the platforms. */
      simulated: boolean;
      /** Secret that verifies requests of chat_workspace. When null, none are accepted. */
      signingSecret: string | null;
      /** API hosts of the platforms. When null, that of the vendor or of the simulator is used. */
      apiBases: Readonly<Record<PlatformKind, string | null>>;
    };
  }
}

const apiBase = url('http:', 'https:').optional();

export const integrationSettings = defineSettings(
  {
    CHAT_PLATFORMS: z.enum(['live', 'simulated']).optional(),
    SLACK_SIGNING_SECRET: key.min(16, 'must have at least 16 characters').optional(),
    CHAT_SERVER_API_BASE: apiBase,
    CHAT_MESSENGER_API_BASE: apiBase,
    CHAT_WORKSPACE_API_BASE: apiBase,
  },
  (vars, { profile }) => ({
    platforms: {
      simulated: (vars.CHAT_PLATFORMS ?? (profile === 'production' ? 'live' : 'simulated')) === 'simulated',
      signingSecret: vars.SLACK_SIGNING_SECRET ?? null,
      apiBases: {
        chat_server: vars.CHAT_SERVER_API_BASE ?? null,
        chat_messenger: vars.CHAT_MESSENGER_API_BASE ?? null,
        chat_workspace: vars.CHAT_WORKSPACE_API_BASE ?? null,
      },
    },
  }),
);
