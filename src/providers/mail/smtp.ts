import { createTransport } from 'nodemailer';
import { MailRefused, type MailServer } from '../../accounts/mail.ports.ts';

interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  url: string;
  /** What the mails say of their sender: `Name <address>`. */
  from: string;
}

/** Two answers of a server that make a mail hopeless: to its recipient and to its content. Everything else may pass. */
const hopeless = new Set(['EENVELOPE', 'EMESSAGE']);

/** A mail server over SMTP, a connection for each mail. Its Message-ID is made of the mail's id. */
export function createSmtpServer({ url, from }: SmtpOptions): MailServer & { close(): void } {
  const transport = createTransport(
    {
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, to, subject, text, html }) => {
      try {
        // An object: a string would be read as a list of addresses.
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        const { code = '', responseCode = 0 } = error as { code?: string; responseCode?: number };
        if (hopeless.has(code) && responseCode >= 500) {
          throw new MailRefused(`${code} ${responseCode}`, { cause: error });
        }
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
