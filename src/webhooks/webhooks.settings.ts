import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { flag } from '../core/config/variables.ts';

declare module '../core/config/config.ts' {
  interface Config {
    webhooks: {
      /** Delays before the second and each further attempt. */
      retryDelaysSeconds: readonly number[];
      /** Whether endpoints may have loopback and private addresses. */
      allowPrivate: boolean;
      /** Days for which finished deliveries and events are kept. */
      retentionDays: number;
    };
  }
}

const delays = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,9}$/, 'must be one to ten numbers of seconds such as 10,60,300')
  .transform((value) => value.split(',').map(Number))
  .refine((given) => given.every((seconds) => seconds <= 604_800), 'each must be at most 604800 (a week)');

export const webhookSettings = defineSettings(
  {
    WEBHOOK_RETRY_DELAYS: delays.default([10, 60, 300]),
    WEBHOOK_ALLOW_PRIVATE: flag.optional(),
    WEBHOOK_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  },
  (vars, { profile }) => ({
    webhooks: {
      retryDelaysSeconds: vars.WEBHOOK_RETRY_DELAYS,
      allowPrivate: vars.WEBHOOK_ALLOW_PRIVATE ?? profile === 'embedded',
      retentionDays: vars.WEBHOOK_RETENTION_DAYS,
    },
  }),
);
