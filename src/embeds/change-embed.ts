import type { z } from 'zod';
import { requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { invalidField } from '../core/errors.ts';
import { storedCap } from './daily-cap.ts';
import type { Embed } from './embed.entity.ts';
import type { updateEmbedInput } from './embed.input.ts';
import { sealEmbedSecret } from './embed-secrets.ts';

type Changes = {
  [Field in keyof z.output<typeof updateEmbedInput>]?: z.output<typeof updateEmbedInput>[Field] | undefined;
};

/**
 * Sets the given fields of an embed of the caller and validates combinations of fields.
 * @throws AppError `invalid_request`
 */
export function changeEmbed(tx: Ctx, embed: Embed, changes: Changes): void {
  const { allowedOrigins, limits = {}, appearance = {}, challengeSecret, challengeSiteKey, ...plain } = changes;
  const { name, active, test, identity, challenge, retentionDays, notice } = plain;
  Object.assign(embed, present({ name, active, test, identity, challenge, retentionDays, notice }));
  const { perDay, ...otherLimits } = limits;
  Object.assign(embed, present(otherLimits));
  if (perDay !== undefined) Object.assign(embed, storedCap(tx, requireUser(tx.actor).plan, perDay));
  embed.appearance = { ...embed.appearance, ...present(appearance) };
  if (allowedOrigins) embed.allowedOrigins = [...new Set(allowedOrigins.map(({ origin }) => origin))];
  if (challengeSiteKey !== undefined) embed.challengeSiteKey = challengeSiteKey;
  if (challengeSecret !== undefined)
    embed.challengeSecret = challengeSecret === null ? null : sealEmbedSecret(tx.config, embed.id, challengeSecret);
  requireConsistent(tx, embed);
}

type Checked = Pick<Embed, 'test' | 'allowedOrigins' | 'challenge' | 'challengeSiteKey' | 'challengeSecret'>;

/** Validates combinations of fields. @throws AppError `invalid_request` */
export function requireConsistent(ctx: Ctx, embed: Checked): void {
  requireTest(embed);
  requireKeys(ctx, embed);
}

const present = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;

function requireTest({ test, allowedOrigins }: Checked): void {
  const i = allowedOrigins.findIndex((origin) => !origin.startsWith('https:'));
  if (test || i < 0) return;
  throw invalidField(`allowedOrigins[${i}]`, 'test_required', 'only origins with https are allowed without test: true');
}

/** Requires both keys of the challenge: either those of the embed or those of the service. */
function requireKeys({ config }: Ctx, { challenge, challengeSiteKey, challengeSecret }: Checked): void {
  if (challenge === 'none') return;
  const isOwn = challengeSiteKey !== null && challengeSecret !== null;
  const isService = challengeSiteKey === null && challengeSecret === null && config.embeds.turnstile !== null;
  if (isOwn || isService) return;
  const field = challengeSiteKey ? 'challengeSecret' : 'challengeSiteKey';
  throw invalidField(field, 'required', 'is required for this challenge');
}
