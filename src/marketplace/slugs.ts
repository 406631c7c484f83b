import { randomToken } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { isReservedName } from '../core/text/reserved-names.ts';

const form = /^(?=.{3,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** How long an old slug redirects to its agent and cannot be taken by another one. */
const oldSlugMs = 180 * 24 * 3_600_000;
const maxOldSlugs = 5;

/**
 * Checks the form of a slug.
 * @throws AppError `invalid_request` also for a reserved slug
 */
function requireSlug({ config }: Ctx, slug: string): void {
  const refuse = (code: string, message: string) => invalidField('slug', code, message);
  if (!form.test(slug)) {
    throw refuse(
      'invalid_format',
      'slug must have 3 to 64 characters of a to z, 0 to 9 and single hyphens between them',
    );
  }
  if (isUuid(slug)) throw refuse('invalid_format', 'slug must not look like an ID');
  if (isReservedName(slug, config.moderation.protectedNames)) {
    throw refuse('reserved', 'slug must not be a reserved name');
  }
}

const lock = {
  name: 'slugs_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('slug ' || s, 0)) from unnest($1::text[]) s`,
};
// An old slug belongs to its agent until it expires.
const findHolder = {
  name: 'slug_holder',
  text: `
    select agent_id as "agentId" from listings where slug = $1
    union all select agent_id from listing_slugs where slug = $1 and expires_at > $2 limit 1`,
};

/**
 * Returns whether a slug is free for an agent. Holds a lock until the transaction ends, so that no other transaction
 * can take it.
 */
async function isFree(tx: Ctx, slug: string, agentId: string): Promise<boolean> {
  await tx.sql(lock, [[slug]]);
  const [holder] = await tx.sql<{ agentId: string }>(findHolder, [slug, tx.clock.now()]);
  return !holder || holder.agentId === agentId;
}

const keepOld = {
  name: 'slug_keep_old',
  text: `
    insert into listing_slugs (slug, agent_id, expires_at) values ($1, $2, $3)
    on conflict (slug) do update set agent_id = excluded.agent_id, expires_at = excluded.expires_at`,
};
const deleteSlug = { name: 'slug_take_back', text: `delete from listing_slugs where slug = $1` };
const countOld = {
  name: 'slugs_count_old',
  text: `select count(*) as total from listing_slugs where agent_id = $1 and slug <> $3 and expires_at > $2`,
};

/**
 * Assigns a slug to an agent, whose lock the caller must hold. The previous slug redirects for 180 days.
 * @throws AppError `invalid_request`, `conflict` when the slug is taken or was changed too often
 */
export async function takeSlug(tx: Ctx, agentId: string, slug: string, before: string | null): Promise<void> {
  if (slug === before) return;
  requireSlug(tx, slug);
  if (!(await isFree(tx, slug, agentId))) throw conflict('taken', 'This slug is taken.');
  const now = tx.clock.now();
  const [old] = await tx.sql<{ total: number }>(countOld, [agentId, now, slug]);
  if (before !== null && (old?.total ?? 0) >= maxOldSlugs) {
    throw conflict('changed_too_often', `A slug can be changed ${maxOldSlugs} times in 180 days.`);
  }
  await tx.sql(deleteSlug, [slug]);
  if (before !== null) await tx.sql(keepOld, [before, agentId, new Date(now.getTime() + oldSlugMs)]);
}

const conflict = (code: string, message: string): AppError =>
  new AppError('conflict', { message, details: [{ field: 'slug', code, message }] });

/** Returns a free slug derived from the name. */
export async function slugFor(tx: Ctx, agent: { id: string; name: string }): Promise<string> {
  const base = agent.name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '');
  const isUsable = form.test(base) && !isReservedName(base, tx.config.moderation.protectedNames);
  if (isUsable && (await isFree(tx, base, agent.id))) return base;
  const suffix = randomToken(6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0');
  return `${isUsable ? base : 'agent'}-${suffix}`;
}
