/** A mail as it is passed to the mail server. */
export interface OutgoingMail {
  /** The same on every attempt, so that a mailbox shows a duplicate once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The mail server rejected this mail permanently (unknown mailbox, content): a retry cannot succeed. */
export class MailRefused extends Error {}

export interface MailServer {
  /** Resolves when the server has accepted the mail. @throws MailRefused, or another error when a retry may succeed */
  send(mail: OutgoingMail): Promise<void>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    /** Null without a mail server: mails are stored in `outbox_mails`. */
    mail: MailServer | null;
  }
}
