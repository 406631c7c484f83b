import type { Ctx } from '../core/ctx.ts';

const lock = {
  name: 'conversation_lock_only',
  text: `select 1 as locked from conversations where id = $1 for no key update`,
};

/** Makes the transaction the only one that changes the conversation. Always taken before its generations' rows. */
export async function lockConversation(ctx: Ctx, id: string): Promise<void> {
  await ctx.sql(lock, [id]);
}
