import { randomInt } from 'node:crypto';
import type { Ctx } from '../core/ctx.ts';

// Plain SQL, because registration runs it.
const isTaken = { name: 'username_taken', text: `select 1 as taken from users where lower(username) = lower($1)` };

/** Derives a free username from the local part of an e-mail address, with a numeric suffix when it is taken. */
export async function availableUsername(ctx: Ctx, email: string): Promise<string> {
  const local = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '');
  const base = (local.length >= 3 ? local : `user-${local}`).slice(0, 50);
  for (let candidate = base, digits = 3; ; digits++) {
    if ((await ctx.sql(isTaken, [candidate])).length === 0) return candidate;
    candidate = `${base}-${randomInt(10 ** digits)}`;
  }
}
