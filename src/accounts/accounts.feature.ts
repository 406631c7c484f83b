import type { Feature } from '../core/feature.ts';
import { accountExport } from './account.export.ts';
import { encryptedResetRequests, sendResetMail } from './credentials/forgotten-password.ts';
import { purgeExpiredSessions } from './credentials/purge-sessions.ts';
import { tokenExpiry } from './credentials/token.expiry.ts';
import { encryptedSuccessors } from './credentials/refresh-tokens.ts';
import { Session } from './credentials/session.entity.ts';
import { purgeExportFiles, exportExpiry, removeExpiredExports } from './data-export/purge-exports.ts';
import { failDataExport, writeDataExport } from './data-export/write-export.ts';
import { purgeAccount } from './deletion/purge-account.ts';
import { deliverMail, encryptedMails, forgetMail } from './mail/mails.ts';
import { outboxMailExpiry } from './mail/outbox-mail.expiry.ts';
import { auditExpiry } from './audit.expiry.ts';
import { Block } from './blocks/block.entity.ts';
import { OldUsername } from './old-username.entity.ts';
import { User } from './user.entity.ts';
import { oldUsernameExpiry, purgeUsernames } from './usernames.ts';
import { RefreshToken } from './credentials/refresh-token.entity.ts';
import { AccountToken } from './credentials/account-token.entity.ts';
import { Mail } from './mail/mail.entity.ts';
import { OutboxMail } from './mail/outbox-mail.entity.ts';
import { AuditEvent } from './audit-event.entity.ts';
import { DataExport } from './data-export/data-export.entity.ts';
import { DeletionReceipt } from './deletion/deletion-receipt.entity.ts';
import { accountSettings } from './accounts.settings.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    usr_: 'user';
    ses_: 'session';
    aud_: 'auditEvent';
    exp_: 'export';
    mail_: 'mail';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'account:read': true;
    'account:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    mail: { mailId: string };
    'account.forgotten-password': { sealed: string };
    'account.export': { exportId: string };
    'account.purge': { userId: string };
  }
}

export const accounts: Feature = {
  name: 'accounts',
  settings: accountSettings,
  entities: [
    User,
    OldUsername,
    Session,
    RefreshToken,
    AccountToken,
    Mail,
    OutboxMail,
    AuditEvent,
    DataExport,
    DeletionReceipt,
    Block,
  ],
  idPrefixes: { user: 'usr_', session: 'ses_', auditEvent: 'aud_', export: 'exp_', mail: 'mail_' },
  scopes: ['account:read', 'account:write'],
  jobs: [
    {
      // Retried every 45 seconds for about a day while the mail server is down.
      kind: 'mail',
      concurrency: 5,
      timeoutMs: 60_000,
      retryDelaysSeconds: [5, 15, 45],
      handle: (ctx, { mailId }, run) => deliverMail(ctx, mailId, (inner) => run.complete(inner)),
      failed: (ctx, { mailId }) => forgetMail(ctx, mailId),
    },
    {
      // Looks up the address after the response was sent, so that the response time reveals nothing.
      kind: 'account.forgotten-password',
      concurrency: 4,
      timeoutMs: 30_000,
      handle: (ctx, { sealed }, run) => sendResetMail(ctx, sealed, (inner) => run.complete(inner)),
    },
    {
      kind: 'account.export',
      concurrency: 1,
      handle: (ctx, { exportId }, run) => writeDataExport(ctx, exportId, run),
      failed: (ctx, { exportId }) => failDataExport(ctx, exportId),
    },
    {
      // Due at the end of the grace period.
      kind: 'account.purge',
      concurrency: 1,
      handle: (ctx, { userId }, run) => purgeAccount(ctx, userId, run),
    },
  ],
  encryptedColumns: [...encryptedMails, encryptedResetRequests, encryptedSuccessors],
  expiries: [
    { name: 'sessions', remove: purgeExpiredSessions },
    tokenExpiry,
    { name: 'exportFiles', remove: removeExpiredExports },
    exportExpiry,
    auditExpiry,
    outboxMailExpiry,
    oldUsernameExpiry,
  ],
  purge: [purgeExportFiles, purgeUsernames],
  exportSections: accountExport,
  restore: [{ counts: 'mails', sql: `delete from mails` }],
};
