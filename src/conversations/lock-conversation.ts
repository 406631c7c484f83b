import type { Ctx } from '../core/ctx.ts';

const lock = {
  name: 'conversation_lock_only',
  text: `select 1 as locked from conversations where id = $1 for no key update`,
};

/** Locks a conversation for the transaction. Must be called before locking its generations. */
export async function lockConversation(ctx: Ctx, id: string): Promise<void> {
  await ctx.sql(lock, [id]);
}
