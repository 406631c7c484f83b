import type { AuditAction } from '../api/generated/operations.ts';

/** Text of every action in the audit log. A missing one is a compile error. */
export const auditTexts: Readonly<Record<AuditAction, string>> = {
  ACCOUNT_REGISTERED: 'Account created',
  ACCOUNT_DELETION_SCHEDULED: 'Account deletion scheduled',
  ACCOUNT_RESTORED: 'Account deletion cancelled',
  LOGIN_SUCCEEDED: 'Signed in',
  LOGIN_FAILED: 'Sign-in with a wrong password',
  LOGOUT: 'Signed out',
  SESSION_REVOKED: 'Session ended',
  SESSION_TOKEN_REUSED: 'An old session token was reused; the session was ended',
  EMAIL_VERIFIED: 'E-mail address confirmed',
  EMAIL_CHANGE_REQUESTED: 'E-mail address change requested',
  EMAIL_CHANGED: 'E-mail address changed',
  PASSWORD_CHANGED: 'Password changed',
  PASSWORD_RESET_REQUESTED: 'New password requested by mail',
  PASSWORD_RESET: 'New password set by mail',
  API_KEY_CREATED: 'API key created',
  API_KEY_ROTATED: 'API key rotated',
  API_KEY_REVOKED: 'API key revoked',
  EXPORT_REQUESTED: 'Data export requested',
  EXPORT_DOWNLOADED: 'Data export downloaded',
  IMAGE_TAKEN_DOWN: 'A picture was removed by the operator',
  MODERATION_CASE_VIEWED: 'Case viewed as a moderator',
  MODERATION_PICTURE_VIEWED: 'Picture of a case viewed',
  MODERATION_DECIDED: 'Case decided as a moderator',
};
