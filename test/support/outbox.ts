import type { Client } from './client.ts';
import { eventually } from './eventually.ts';

export interface DevMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Returns what GET /dev/mail shows for an address, newest first. */
export async function outboxOf(service: Client, to: string): Promise<DevMail[]> {
  const headers = { accept: 'application/json' };
  return (await service.call('GET', `/dev/mail?to=${encodeURIComponent(to)}`, { headers })).body.data;
}

/** Waits for the newest mail with this subject that is not in `before`. */
export const mailWith = (
  service: Client,
  to: string,
  subject: string,
  before: readonly DevMail[] = [],
): Promise<DevMail> =>
  eventually(
    async () =>
      (await outboxOf(service, to)).find(
        (mail) => mail.subject === subject && !before.some(({ id }) => id === mail.id),
      ),
    { what: `a mail "${subject}"` },
  );

/** Returns the token in a mail. */
export const tokenIn = ({ text }: DevMail): string => /\b(?:vt|rst|ect)_[\w-]{43}/.exec(text)?.[0] ?? '';
