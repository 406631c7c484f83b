import { createHmac } from 'node:crypto';
import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import { networkOf } from '../../core/http/network.ts';

const insert = {
  name: 'listing_view_insert',
  text: `
    with seen as (
      insert into listing_views (agent_id, viewer, created_at) values ($1, $2, $3) on conflict do nothing returning agent_id
    )
    insert into listing_notes (agent_id, views, created_at) select agent_id, 1, $3 from seen`,
};

/**
 * Counts a view of a listing, once a day per network. Not awaited: a view may be lost, and the response does not depend
 * on it.
 */
export function recordView(ctx: Ctx, agentId: string): void {
  const { actor, clock, config, log } = ctx;
  if (actor.kind === 'system') return;
  const now = clock.now();
  const viewer = createHmac('sha256', config.authKeys.at(-1)?.secret ?? '')
    .update(`view ${now.toISOString().slice(0, 10)} ${networkOf(actor.ip ?? '')}`)
    .digest();
  ctx
    .sql(insert, [agentId, viewer, now])
    .catch((error: unknown) => log.warn({ err: error }, 'could not count a view of a listing'));
}

const keepMs = 24 * 3_600_000;

/** Removes records of views after a day. */
export const viewExpiry = rowExpiry({
  name: 'listingViews',
  keepMs,
  statement: {
    name: 'purge_listing_views',
    text: `
      delete from listing_views where (agent_id, viewer) in (
        select agent_id, viewer from listing_views where created_at <= $1 order by created_at limit $2)
      returning 1`,
  },
});
