import { createTransport } from 'nodemailer';
import { MailRefused, type MailServer } from '../../accounts/mail/mail.ports.ts';

interface SmtpOptions {
  /** Address of the server: `smtp://user:password@host:port`, or `smtps://`. */
  url: string;
  /** The sender: `Name <address>`. */
  from: string;
}

/** Error codes for a rejected recipient and for rejected content. With a 5xx response they are permanent. */
const permanent = new Set(['EENVELOPE', 'EMESSAGE']);

/** Creates an SMTP client that opens a connection for each mail. The Message-ID contains the mail's id. */
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
        // An object, because a string would be parsed as a list of addresses.
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
        if (permanent.has(code) && responseCode >= 500) {
          throw new MailRefused(`${code} ${responseCode}`, { cause: error });
        }
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
