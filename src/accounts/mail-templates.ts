/** Every mail of the service and what it needs to be written. */
export interface Mails {
  verifyEmail: { token: string; username: string };
  resetPassword: { token: string; username: string };
  passwordChanged: { username: string };
  exportReady: { url: string; expiresAt: string };
  exportFailed: { username: string };
  deletionScheduled: { username: string; gracePeriodEnds: string };
  accountRestored: { username: string };
  webhookDisabled: { webhookId: string; url: string; reason: string };
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  /** What stands above and below the link, a paragraph each. */
  before: string[];
  link?: { label: string; url: string };
  after?: string[];
}

type Writers = { [Name in keyof Mails]: (data: Mails[Name], publicUrl: string) => Letter };

// Tokens stand behind the #, which browsers send neither to servers nor to other sites.
const writers: Writers = {
  verifyEmail: ({ token, username }, publicUrl) => ({
    subject: 'Confirm your e-mail address',
    before: [`Hello ${username},`, 'please confirm that this e-mail address is yours.'],
    link: { label: 'Confirm the address', url: `${publicUrl}/verify-email#token=${token}` },
    after: [
      `Or send this token to POST /v1/auth/verify-email: ${token}`,
      'It is valid for 24 hours. If you did not sign up, ignore this mail.',
    ],
  }),
  resetPassword: ({ token, username }, publicUrl) => ({
    subject: 'Set a new password',
    before: [`Hello ${username},`, 'someone, probably you, asked for a new password for your account.'],
    link: { label: 'Set a new password', url: `${publicUrl}/reset-password#token=${token}` },
    after: [
      `Or send this token to POST /v1/auth/reset-password: ${token}`,
      'It is valid for one hour and works once. If you did not ask for it, ignore this mail: nothing changes.',
    ],
  }),
  passwordChanged: ({ username }) => ({
    subject: 'Your password was changed',
    before: [
      `Hello ${username},`,
      'the password of your account was changed, and the other sessions were ended.',
      'If that was not you, ask for a new password at once (POST /v1/auth/forgot-password).',
    ],
  }),
  exportReady: ({ url, expiresAt }) => ({
    subject: 'Your data export is ready',
    before: ['The export of your data is ready.'],
    link: { label: 'Download it', url },
    after: [`The link works until ${expiresAt}. Whoever has it can read your data, so do not pass it on.`],
  }),
  exportFailed: ({ username }) => ({
    subject: 'Your data export failed',
    before: [
      `Hello ${username},`,
      'the export of your data could not be made. Please ask for it again (POST /v1/auth/export-data).',
    ],
  }),
  deletionScheduled: ({ username, gracePeriodEnds }) => ({
    subject: 'Your account will be deleted',
    before: [
      `Hello ${username},`,
      `your account and all of its data will be deleted for good after ${gracePeriodEnds}.`,
      'Until then you can take it back with your e-mail address and password (POST /v1/auth/restore).',
    ],
  }),
  accountRestored: ({ username }) => ({
    subject: 'Your account is restored',
    before: [
      `Hello ${username},`,
      'your account will not be deleted. Your API keys work again; sign in for new sessions.',
    ],
  }),
  webhookDisabled: ({ webhookId, url, reason }) => ({
    subject: 'A webhook was disabled',
    before: [
      `The webhook ${webhookId} to ${url} was disabled: ${reason}`,
      `Enable it again with PUT /v1/webhooks/${webhookId} and "active": true, once its endpoint answers.`,
      `What comes due meanwhile is kept, and POST /v1/webhooks/${webhookId}/deliveries/recover sends it.`,
    ],
  }),
};

/** The mail as text and as HTML, with what came from people escaped and on one line. */
export function renderMail<Name extends keyof Mails>(publicUrl: string, name: Name, data: Mails[Name]): MailContent {
  const { subject, before, link, after = [] } = writers[name](data, publicUrl);
  const above = before.map(oneLine);
  const below = after.map(oneLine);
  const text = [...above, ...(link ? [`${link.label}: ${link.url}`] : []), ...below].join('\n\n');
  const paragraphs = [
    ...above.map(escapeHtml),
    ...(link ? [`<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`] : []),
    ...below.map(escapeHtml),
  ];
  const html = `<!doctype html>
<html lang="en"><body style="font: 16px/1.5 sans-serif; max-width: 40em">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</body></html>
`;
  return { subject: oneLine(subject), text: `${text}\n`, html };
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that means itself in HTML, in attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
