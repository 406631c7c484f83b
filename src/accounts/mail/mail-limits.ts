import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { networkOf } from '../../core/http/network.ts';
import { isAllowedAddress } from '../../core/http/public-address.ts';
import { mailboxOf } from '../../core/text/email.ts';

const hourSeconds = 3_600;

/** Domains of which strangers have mailboxes, so that registrations at one are not those of one person. */
const publicProviders = new Set(
  `gmail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mac.com proton.me protonmail.com
  pm.me gmx.net gmx.de gmx.com web.de t-online.de mail.com mail.ru yandex.ru yandex.com qq.com 163.com 126.com foxmail.com naver.com
  daum.net hanmail.net zoho.com fastmail.com tutanota.com orange.fr free.fr wanadoo.fr laposte.net libero.it virgilio.it seznam.cz
  wp.pl o2.pl onet.pl interia.pl uol.com.br bol.com.br rediffmail.com comcast.net verizon.net att.net btinternet.com`.split(
    /\s+/,
  ),
);

/**
 * Counts a mail that a stranger can cause to be sent to an address. Addresses of one mailbox count together.
 * @throws AppError `rate_limited`
 */
export const admitMail = (ctx: Ctx, email: string): Promise<void> =>
  admit(
    ctx,
    `mails:${sha256(mailboxOf(email).mailbox).toString('base64url')}`,
    ctx.config.rateLimits.mailsPerMailboxHour,
    'Too many mails to this address were requested. Wait for the time given in Retry-After.',
  );

/**
 * Counts a registration: by mailbox, by the domain of the address unless it is a public mail provider, and by the
 * caller's network unless it is a private one, which is the operator's.
 * @throws AppError `rate_limited`
 */
export async function admitRegistration(ctx: Ctx, email: string): Promise<void> {
  const { registrationsPerAddressHour, registrationsPerDomainHour } = ctx.config.rateLimits;
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  const { domain } = mailboxOf(email);
  const tooMany = (from: string): string =>
    `Too many accounts were registered from this ${from}. Wait for the time given in Retry-After.`;
  if (ip && isAllowedAddress(ip, false))
    await admit(ctx, `registrations:${networkOf(ip)}`, registrationsPerAddressHour, tooMany('network'));
  await admitMail(ctx, email);
  if (!publicProviders.has(domain))
    await admit(ctx, `registrations:${domain}`, registrationsPerDomainHour, tooMany('mail domain'));
}

async function admit(ctx: Ctx, key: string, limit: number, message: string): Promise<void> {
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(key, limit, hourSeconds);
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { message, retryAfterSeconds });
}
