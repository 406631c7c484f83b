import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { key, url } from '../core/config/variables.ts';
import type { PlatformKind } from './platforms.ports.ts';

declare module '../core/config/config.ts' {
  interface Config {
    platforms: {
      /** Simulators on loopback instead of the platforms. */
      simulated: boolean;
      /** Verifies what chat_workspace sends; null: nothing is accepted. */
      signingSecret: string | null;
      /** The platforms' API hosts; null: the vendor's, or the simulator's. */
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
