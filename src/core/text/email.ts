import { domainToASCII } from 'node:url';
import { z } from 'zod';

const maxLength = 254;
const maxLocal = 64;
const atom = String.raw`[a-z0-9!#$%&'*+/=?^_\u0060{|}~-]+`;
const localPart = new RegExp(String.raw`^${atom}(?:\.${atom})*$`);
// What a domain may be written with; `domainToASCII` would also decode percent signs.
const writtenDomain = /^(?:[\p{L}\p{M}\p{N}.-]|\u200c|\u200d){1,255}$/u;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Returns an e-mail address in the form in which it is stored and compared: lower case, full-width characters as ASCII,
 * the domain in the ASCII form of internationalized names. Null for what is no address as RFC 5321 defines it; quoted
 * local parts, local parts outside ASCII and addresses of literal IP addresses count as none.
 */
export function readEmail(typed: string): string | null {
  const address = typed.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const written = address.slice(at + 1);
  if (at < 1 || local.length > maxLocal || !localPart.test(local) || !writtenDomain.test(written)) return null;
  const host = domainToASCII(written);
  const whole = `${local}@${host}`;
  return domain.test(host) && whole.length <= maxLength ? whole : null;
}

/** Schema of an e-mail address, in the form of `readEmail`. */
export const emailAddress = () =>
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .transform((typed, ctx) => {
      const address = readEmail(typed);
      if (address !== null) return address;
      ctx.addIssue({ code: 'custom', message: 'must be an e-mail address such as ada@example.com' });
      return z.NEVER;
    });

const sameProviders: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' };

/**
 * Returns the mailbox that an address probably leads to, for limits only: without dots and what follows a plus sign in
 * the local part. Some providers tell such addresses apart, so they are different accounts.
 */
export function mailboxOf(address: string): { mailbox: string; domain: string } {
  const at = address.lastIndexOf('@');
  const host = sameProviders[address.slice(at + 1)] ?? address.slice(at + 1);
  const local = address.slice(0, at).replace(/\+.*$/s, '').replaceAll('.', '');
  return { mailbox: `${local}@${host}`, domain: host };
}
