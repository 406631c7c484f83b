import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail extends Email {
  /** The recipients of the envelope, which can differ from the headers. */
  recipients: string[];
}

interface MailServerOptions {
  port?: number;
  /** The reply to a recipient: a status from 400 on refuses it. */
  answerTo?: (address: string) => number;
  /** Called with the number of the mail, from 1, after it has arrived and before it is acknowledged. */
  beforeAnswer?: (count: number) => Promise<void> | void;
}

/** A real SMTP server on loopback that stores the mails it receives. */
export async function startMailServer({ port = 0, answerTo, beforeAnswer }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const status = answerTo?.(address) ?? 250;
      done(status < 400 ? null : Object.assign(new Error('not here'), { responseCode: status }));
    },
    onData: (stream, { envelope }, done) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        mails.push({ ...mail, recipients: envelope.rcptTo.map(({ address }) => address) });
        await beforeAnswer?.(mails.length);
        done();
      })();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    mails,
    to: (address: string) => mails.filter((mail) => mail.recipients.includes(address)),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
