import { randomInt } from 'node:crypto';
import { invalidField, AppError } from '../core/errors.ts';
import type { Ctx } from '../core/ctx.ts';
import { rowExpiry } from '../core/database/purge-in-batches.ts';
import type { PurgeStep } from '../core/feature.ts';
import { isId } from '../core/ids.ts';
import { normalForm } from '../core/text/normal-form.ts';
import { claimsRole, impersonates, isReservedName } from '../core/text/reserved-names.ts';
import { callerId } from './caller.ts';
import type { User } from './user.entity.ts';

/** How long an old username leads to its owner and cannot be taken by another account. */
const oldNameMs = 180 * 24 * 3_600_000;
const maxOldNames = 5;

const hashOf = (name: string): string => `sha256(convert_to(lower(${name}), 'UTF8'))`;

/**
 * Returns the SQL condition that a user `u` has the username in a parameter, or had it within 180 days. A name that
 * another account has now is that account's.
 */
export const isNamed = (u: string, parameter: string): string => `${u}.id = (
  select n.id from (
    select id, 1 as place from users where lower(username) = lower(${parameter})
    union all select user_id, 2 from old_usernames where name_hash = ${hashOf(parameter)}
  ) n order by n.place limit 1)`;

/** Returns a typed username in the form in which names are looked up, without `@`; empty for what cannot be one. */
export function typedUsername(typed: string): string {
  const name = normalForm(typed.slice(0, 200)).trim().replace(/^@/, '');
  return /^[\w.-]{1,64}$/.test(name) ? name : '';
}

// Plain SQL, because registration runs it. The name of a purged account has no user.
const findHolder = {
  name: 'username_holder',
  text: `
    select id from users where lower(username) = lower($1)
    union all select user_id from old_usernames where name_hash = ${hashOf('$1')} limit 1`,
};

const isFree = async (ctx: Ctx, name: string, userId: string | null): Promise<boolean> =>
  (await ctx.sql<{ id: string | null }>(findHolder, [name])).every(({ id }) => id !== null && id === userId);

/**
 * Checks that an account may take a username.
 * @throws AppError `invalid_request` for a reserved name, `username_taken` also for an old name of another account
 */
export async function requireUsername(ctx: Ctx, name: string, userId: string | null): Promise<void> {
  if (isReserved(ctx, name))
    throw invalidField('username', 'reserved', 'username must not be a reserved name; choose another one');
  if (!(await isFree(ctx, name, userId))) throw new AppError('username_taken');
}

/** A name without a letter or digit, and one that looks like an id, would be mistaken in an address. */
const isReserved = ({ config }: Ctx, name: string): boolean =>
  !/[A-Za-z0-9]/.test(name) ||
  isId('usr_', name.toLowerCase()) ||
  isReservedName(name, config.moderation.protectedNames);

/** @throws AppError `invalid_request` for a display name of the service, unless the caller is a moderator */
export function requireDisplayName(ctx: Ctx, name: string): void {
  const { protectedNames, moderators } = ctx.config.moderation;
  if (moderators.includes(callerId(ctx))) return;
  if (claimsRole(name) || impersonates(name, protectedNames))
    throw invalidField('displayName', 'reserved', 'displayName must not look like a name of the service or its staff');
}

/** Derives a free username from the local part of an e-mail address, with a numeric suffix when it is taken. */
export async function availableUsername(ctx: Ctx, email: string): Promise<string> {
  const local = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '');
  const derived = (local.length >= 3 ? local : `user-${local}`).slice(0, 50);
  const base = isReserved(ctx, derived) ? 'user' : derived;
  for (let candidate = base, digits = 3; ; digits++) {
    if (!isReserved(ctx, candidate) && (await isFree(ctx, candidate, null))) return candidate;
    candidate = `${base}-${randomInt(10 ** digits)}`;
  }
}

const keepOld = {
  name: 'username_keep_old',
  text: `
    insert into old_usernames (name_hash, username, user_id, created_at, expires_at)
    values (${hashOf('$1')}, $1, $2, $3, $4)
    on conflict (name_hash) do update set username = $1, user_id = $2, expires_at = $4`,
};
const takeBack = { name: 'username_take_back', text: `delete from old_usernames where name_hash = ${hashOf('$1')}` };
const countOld = {
  name: 'usernames_count_old',
  text: `select count(*) as total from old_usernames where user_id = $1 and name_hash <> ${hashOf('$2')}`,
};

/**
 * Changes the username of an account in the caller's transaction; the caller writes the row. The old name leads to the
 * account for 180 days.
 * @throws AppError `invalid_request`, `username_taken`, `conflict` when the name was changed too often
 */
export async function changeUsername(tx: Ctx, { id, username }: User, name: string): Promise<void> {
  if (name.toLowerCase() === username.toLowerCase()) return;
  await requireUsername(tx, name, id);
  const now = tx.clock.now();
  const [old] = await tx.sql<{ total: number }>(countOld, [id, name]);
  if ((old?.total ?? 0) >= maxOldNames) {
    const message = `A username can be changed ${maxOldNames} times in 180 days.`;
    throw new AppError('conflict', { message, details: [{ field: 'username', code: 'changed_too_often', message }] });
  }
  await tx.sql(takeBack, [name]);
  await tx.sql(keepOld, [username, id, now, new Date(now.getTime() + oldNameMs)]);
}

const holdName = {
  name: 'username_hold',
  text: `
    insert into old_usernames (name_hash, user_id, created_at, expires_at)
    select ${hashOf('username')}, id, $2, $3 from users where id = $1 on conflict (name_hash) do nothing`,
};
const anonymize = {
  name: 'usernames_anonymize',
  text: `update old_usernames set username = null, user_id = null where user_id = $1 returning 1`,
};

/** Keeps the names of a purged account from other accounts for 180 days, as hashes without the account. */
export const purgeUsernames: PurgeStep = {
  name: 'usernames',
  async purge(ctx, userId) {
    const now = ctx.clock.now();
    await ctx.sql(holdName, [userId, now, new Date(now.getTime() + oldNameMs)]);
    return { old_usernames: (await ctx.sql(anonymize, [userId])).length };
  },
};

/** Releases old usernames after 180 days. */
export const oldUsernameExpiry = rowExpiry({
  name: 'usernames',
  keepMs: 0,
  statement: {
    name: 'purge_old_usernames',
    text: `
      delete from old_usernames where name_hash in (
        select name_hash from old_usernames where expires_at <= $1 order by expires_at limit $2)
      returning 1`,
  },
});
