import type { AgentRemovalStep } from '../agents/agent.ports.ts';
import { rowExpiry } from '../core/database/purge-in-batches.ts';
import { removalOf, removeInBatches } from '../core/database/remove-in-batches.ts';
import type { PurgeStep } from '../core/feature.ts';
import type { Statement } from '../core/database/sql.ts';
import { isUnrestricted } from '../moderation/restrictions.ts';

const batchSize = 1_000;
const keepRevokedMs = 90 * 86_400_000;

/**
 * Deletes a batch of rows and, in the same statement, notes the decrements of the counters at the other end of each
 * relation.
 */
const deleteCounted = (
  name: string,
  table: string,
  of: string,
  subject: string,
  kind: string,
  counts: string,
): Statement => ({
  name,
  text: `
    with gone as (
      delete from ${table} where ctid = any (array(select ctid from ${table} where ${of} = $1 limit ${batchSize}))
      returning ${subject} as id, ${counts} as counts
    ), noted as (
      insert into counter_notes (kind, subject_id, delta, created_at) select '${kind}', id, -1, now() from gone where counts
    )
    select 1 from gone`,
});

const parts = [
  {
    kind: 'follows',
    statement: deleteCounted(
      'purge_follows',
      'follows',
      'follower_id',
      'followee_id',
      'follower',
      isUnrestricted('$1'),
    ),
  },
  {
    kind: 'follows',
    statement: deleteCounted('purge_followers', 'follows', 'followee_id', 'follower_id', 'following', 'true'),
  },
  {
    kind: 'likes',
    statement: deleteCounted('purge_likes', 'likes', 'user_id', 'agent_id', 'like', isUnrestricted('$1')),
  },
] as const;

/**
 * Deletes the follows and likes of an account in batches and decrements the counters of the other users and agents in
 * the same statements.
 */
export const purgeSocial: PurgeStep = {
  name: 'social',
  purge: async (ctx, userId, signal) => {
    const counts: Record<string, number> = {};
    for (const { kind, statement } of parts) {
      for (let gone = batchSize; gone === batchSize; counts[kind] = (counts[kind] ?? 0) + gone) {
        signal.throwIfAborted();
        gone = (await ctx.sql(statement, [userId])).length;
      }
    }
    return counts;
  },
};

const removals = ['activities', 'shares', 'likes'].map((table) =>
  removalOf({ name: `agent_remove_${table}`, table, column: 'agent_id', batchSize }),
);

/** Deletes what refers to a deleted agent, in batches because a popular agent has many likes. */
export const removeSocialOfAgent: AgentRemovalStep = (ctx, agentId, run) =>
  removeInBatches(ctx, removals, agentId, run);

/** Deletes shares 90 days after they were revoked. */
export const revokedShareExpiry = rowExpiry({
  name: 'revokedShares',
  keepMs: keepRevokedMs,
  statement: {
    name: 'purge_revoked_shares',
    text: `
      delete from shares where id = any (array(
        select id from shares where revoked_at <= $1 order by revoked_at limit $2))
      returning 1`,
  },
});
