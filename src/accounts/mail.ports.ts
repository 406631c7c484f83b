/** A mail as the mail server gets it. */
export interface OutgoingMail {
  /** The same at every try, so that a mailbox which got it twice shows it once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The mail server refused this mail for good (unknown mailbox, content): trying again is of no use. */
export class MailRefused extends Error {}

export interface MailServer {
  /** Resolves when the server has taken the mail. @throws MailRefused, or what may work later */
  send(mail: OutgoingMail): Promise<void>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    /** `null`: there is none, mails go to the outbox (table `outbox_mails`). */
    mail: MailServer | null;
  }
}
