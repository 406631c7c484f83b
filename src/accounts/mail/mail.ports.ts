/** A mail in the form that is passed to the mail server. */
export interface OutgoingMail {
  /** Message id. It is the same for every attempt, so that a mailbox shows a duplicate only once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Thrown when the mail server rejects a mail permanently (unknown mailbox, content), so that a retry cannot succeed.
 */
export class MailRefused extends Error {}

export interface MailServer {
  /**
   * Sends a mail. Resolves when the server has accepted it.
   * @throws MailRefused, or another error when a retry may succeed
   */
  send(mail: OutgoingMail): Promise<void>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    /** Null when no mail server is configured. Mails are then stored in `outbox_mails`. */
    mail: MailServer | null;
  }
}
