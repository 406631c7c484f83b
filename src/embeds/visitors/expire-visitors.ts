import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import { eraseVisitor } from './forget-visitor.ts';

const batchSize = 100;

const listIdle = {
  name: 'embed_visitors_idle',
  text: `
    select v.id, e.owner_id as "ownerId" from embeds e
    cross join lateral (
      select i.id from embed_visitors i
      where i.embed_id = e.id and i.last_seen_at < $1::timestamptz - e.retention_days * interval '1 day'
      order by i.last_seen_at desc limit ${batchSize}) v
    limit ${batchSize}`,
};

/**
 * Erases visitors, with their conversations, who were inactive for longer than the retention period of their embed.
 * Returns their number.
 */
export async function expireVisitors(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    const idle = await ctx.sql<{ id: string; ownerId: string }>(listIdle, [ctx.clock.now()]);
    for (const visitor of idle) {
      signal.throwIfAborted();
      await eraseVisitor(ctx, { ...visitor, keepsConversations: false });
    }
    removed += idle.length;
    if (idle.length < batchSize) return removed;
  }
}

/** Removes the tokens of visitors when they expire. */
export const sessionExpiry = rowExpiry({
  name: 'embedSessions',
  keepMs: 0,
  statement: {
    name: 'embed_sessions_expire',
    text: `
      delete from embed_sessions where token_hash in (
        select token_hash from embed_sessions where expires_at <= $1 order by expires_at limit $2)
      returning 1`,
  },
});
