import { encryptedResetRequests } from '../src/accounts/forgotten-password.ts';
import { encryptedMails } from '../src/accounts/mails.ts';
import { encryptedSuccessors } from '../src/accounts/refresh-tokens.ts';
import { encryptedAnswers } from '../src/core/idempotency.ts';
import { type EncryptedColumn, reEncrypt } from '../src/core/re-encrypt.ts';
import { encryptedBotTokens } from '../src/integrations/bot-token.ts';
import { encryptedSecrets } from '../src/webhooks/webhook-secrets.ts';
import type { Job } from './job.ts';

/** Every place in the database that holds encrypted values. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  ...encryptedSecrets,
  encryptedBotTokens,
  ...encryptedMails,
  encryptedResetRequests,
  encryptedSuccessors,
  encryptedAnswers,
];

/** At each start, because that is when keys change, and once a day, for what was written under the old one meanwhile. */
export const reEncryptValues: Job = {
  kind: 'house.re-encrypt',
  everyMs: 86_400_000,
  atStart: true,
  concurrency: 1,
  timeoutMs: 60_000,
  handle: async (ctx, _payload, run) => {
    const counts = await reEncrypt(ctx, encryptedColumns, run);
    if (counts.reEncrypted + counts.changed > 0)
      ctx.log.info(counts, 'encrypted with the newest key what was under an older one');
    if (counts.unreadable > 0) ctx.log.warn(counts, 'values are stored under a key that ENCRYPTION_KEYS does not have');
  },
};
