import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { url } from '../core/config/variables.ts';

declare module '../core/config/config.ts' {
  interface Config {
    mail: {
      /** When `null`, mails are stored in the outbox. */
      smtpUrl: string | null;
      from: string;
    };
  }
}

export const accountSettings = defineSettings(
  {
    SMTP_URL: url('smtp:', 'smtps:').optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]{0,200}@[^\r\n]{1,253}$/, 'must be an address such as Name <name@example.com>')
      .optional(),
  },
  (vars, { publicUrl }) => ({
    mail: {
      smtpUrl: vars.SMTP_URL ?? null,
      from: vars.MAIL_FROM ?? `Agent Chat Service <no-reply@${new URL(publicUrl).hostname}>`,
    },
  }),
);
