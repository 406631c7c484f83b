import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { simulatorKey } from '../core/simulator-keys.ts';

declare module '../core/config/config.ts' {
  interface Config {
    embeds: {
      /** Keys for embeds without their own keys. When null, such an embed cannot have a challenge. */
      turnstile: { siteKey: string; secretKey: string } | null;
      /** Whether the challenge is simulated, so that the token `ok` passes. */
      simulatesTurnstile: boolean;
    };
  }
}

const key = z.string().trim().min(1).max(200).optional();

export const embedSettings = defineSettings(
  { TURNSTILE_SITE_KEY: key, TURNSTILE_SECRET_KEY: key },
  ({ TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey }, { profile }) => {
    const given = siteKey && secretKey ? { siteKey, secretKey } : null;
    const simulated = { siteKey: simulatorKey.turnstile, secretKey: simulatorKey.turnstile };
    const simulatesTurnstile = profile === 'embedded' && given === null;
    return { embeds: { turnstile: simulatesTurnstile ? simulated : given, simulatesTurnstile } };
  },
);
