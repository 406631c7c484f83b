/** All mails of the service, with their data. */
export interface Mails {
  verifyEmail: { token: string; username: string };
  resetPassword: { token: string; username: string };
  passwordChanged: { username: string };
  confirmNewEmail: { token: string; username: string };
  emailChangeRequested: { username: string; newEmail: string };
  emailChanged: { username: string; newEmail: string };
  exportReady: { url: string; expiresAt: string };
  exportFailed: { username: string };
  deletionScheduled: { username: string; gracePeriodEnds: string };
  accountRestored: { username: string };
  experimentEnded: { experiment: string; agent: string; agentId: string; variant: string };
  webhookDisabled: { webhookId: string; url: string; reason: string };
  imageTakenDown: { username: string; imageId: string; statement: string };
  moderationDecided: {
    username: string;
    decisionId: string;
    subjectType: string;
    subjectId: string;
    action: 'none' | 'hold' | 'remove' | 'restore' | 'restrict_author';
    reason: string;
    statement: string;
    automated: boolean;
  };
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  /** Paragraphs above and below the link. */
  before: string[];
  link?: { label: string; url: string };
  after?: string[];
}

type Writers = { [Name in keyof Mails]: (data: Mails[Name], publicUrl: string) => Letter };

// Tokens are in the URL fragment, which browsers send neither to servers nor to other sites.
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
    before: [`Hello ${username},`, 'someone, probably you, requested a new password for your account.'],
    link: { label: 'Set a new password', url: `${publicUrl}/reset-password#token=${token}` },
    after: [
      `Or send this token to POST /v1/auth/reset-password: ${token}`,
      'It is valid for one hour and works once. If you did not request it, ignore this mail: nothing changes.',
    ],
  }),
  passwordChanged: ({ username }) => ({
    subject: 'Your password was changed',
    before: [
      `Hello ${username},`,
      'the password of your account was changed, and you were logged out everywhere else.',
      'If that was not you, request a new password immediately (POST /v1/auth/forgot-password).',
    ],
  }),
  confirmNewEmail: ({ token, username }, publicUrl) => ({
    subject: 'Confirm your new e-mail address',
    before: [`Hello ${username},`, 'please confirm that this is the new e-mail address of your account.'],
    link: { label: 'Confirm the new address', url: `${publicUrl}/verify-email#token=${token}` },
    after: [
      `Or send this token to POST /v1/auth/verify-email: ${token}`,
      'It is valid for 24 hours. If you did not request it, ignore this mail: nothing changes.',
    ],
  }),
  emailChangeRequested: ({ username, newEmail }) => ({
    subject: 'Your e-mail address is about to change',
    before: [
      `Hello ${username},`,
      `someone who knows your password requested that the address of your account be changed to ${newEmail}.`,
      'It changes once that address is confirmed. If that was not you, change your password immediately (POST /v1/auth/change-password).',
    ],
  }),
  emailChanged: ({ username, newEmail }) => ({
    subject: 'Your e-mail address was changed',
    before: [
      `Hello ${username},`,
      `the e-mail address of your account is now ${newEmail}, and you were logged out everywhere else.`,
      'If that was not you, contact the operator of this service immediately.',
    ],
  }),
  exportReady: ({ url, expiresAt }) => ({
    subject: 'Your data export is ready',
    before: ['The export of your data is ready.'],
    link: { label: 'Download it', url },
    after: [`The link works until ${expiresAt}. Anyone with the link can read your data, so do not share it.`],
  }),
  exportFailed: ({ username }) => ({
    subject: 'Your data export failed',
    before: [
      `Hello ${username},`,
      'the export of your data failed. Please request it again (POST /v1/auth/export-data).',
    ],
  }),
  deletionScheduled: ({ username, gracePeriodEnds }) => ({
    subject: 'Your account will be deleted',
    before: [
      `Hello ${username},`,
      `your account and all of its data will be permanently deleted after ${gracePeriodEnds}.`,
      'Until then you can restore it with your e-mail address and password (POST /v1/auth/restore).',
    ],
  }),
  accountRestored: ({ username }) => ({
    subject: 'Your account is restored',
    before: [
      `Hello ${username},`,
      'your account will not be deleted. Your API keys work again; log in to start a new session.',
    ],
  }),
  experimentEnded: ({ experiment, agent, agentId, variant }, publicUrl) => ({
    subject: `The experiment "${experiment}" was ended`,
    before: [
      `Variant ${variant} of the experiment "${experiment}" failed to reply much more often than the control did.`,
      `The experiment was ended, and everyone who talks to ${agent} gets its live version again.`,
    ],
    link: { label: 'See the experiment', url: `${publicUrl}/agents/${agentId}/experiments` },
  }),
  webhookDisabled: ({ webhookId, url, reason }) => ({
    subject: 'A webhook was disabled',
    before: [
      `The webhook ${webhookId} to ${url} was disabled: ${reason}`,
      `Once its endpoint responds, enable it with PUT /v1/webhooks/${webhookId} and "active": true.`,
      `Events that happen in the meantime are stored. Resend them with POST /v1/webhooks/${webhookId}/deliveries/recover.`,
    ],
  }),
  imageTakenDown: ({ username, imageId, statement }) => ({
    subject: 'A picture of yours was taken down',
    before: [
      `Hello ${username},`,
      `the operator of this service removed your picture ${imageId}. It is shown nowhere any more, and its files are deleted.`,
      `The reason: ${statement}`,
      'If you think that this is a mistake, reply to the operator.',
    ],
  }),
  moderationDecided: (
    { username, decisionId, subjectType, subjectId, action, reason, statement, automated },
    publicUrl,
  ) => ({
    subject: 'A decision about something that you published',
    before: [
      `Hello ${username},`,
      `${automated ? 'the service' : 'a moderator'} has decided about your ${subjectType.replaceAll('_', ' ')} ${subjectId}. ${decided[action]}`,
      `The reason (${reason.replaceAll('_', ' ')}): ${statement}`,
      ...(action === 'none' || action === 'restore'
        ? []
        : [
            `If you think that this is a mistake, appeal within 180 days, on the page below or with POST /v1/moderation/decisions/${decisionId}/appeal. A person will review your appeal.`,
          ]),
    ],
    link: { label: 'See the decision', url: `${publicUrl}/settings/reports` },
  }),
};

/** Effect of a moderation decision, as described to the author. */
const decided: Readonly<Record<Mails['moderationDecided']['action'], string>> = {
  none: 'Nothing changes.',
  hold: 'It is hidden from lists for now; direct use continues.',
  remove: 'Other people no longer see it.',
  restore: 'It is visible again, unless it no longer exists.',
  restrict_author:
    'Your account cannot publish at the moment. You can still log in, use agents, export and delete your data, and appeal.',
};

/** Renders a mail as text and HTML. User input is escaped and put on one line. */
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

/** Escapes text for HTML, including attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
