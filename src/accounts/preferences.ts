import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { callerId } from './caller.ts';
import { type Preferences, preferencesInput } from './preferences.input.ts';

// A single statement, so that two tabs that change different preferences at the same time do not overwrite each other.
const merge = {
  name: 'user_merge_preferences',
  text: `
    update users set preferences = jsonb_strip_nulls(preferences || $2::jsonb) where id = $1
    returning preferences`,
};

/** Changes the given preferences of the caller and returns all of them. @throws AppError `invalid_request` */
export async function updatePreferences(ctx: Ctx, input: unknown): Promise<Preferences> {
  const changes = parseInput(preferencesInput, input);
  const [user] = await ctx.sql<{ preferences: Preferences }>(merge, [callerId(ctx), JSON.stringify(changes)]);
  return user?.preferences ?? {};
}
