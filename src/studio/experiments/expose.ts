import type { Ctx } from '../../core/ctx.ts';
import { sendSql } from '../../core/database/transaction.ts';
import { assignVariant, type Variant } from './assign-variant.ts';
import { windowMs } from './experiment-age.ts';

// The first one wins. It is as old as the message that caused it, which thereby lies in the window.
const insert = {
  name: 'exposure_insert',
  text: `
    insert into experiment_exposures (experiment_id, subject, variant, user_id, exposed_at, window_ends_at)
    select x.id, $2, $3, $4, e.moment,
      e.moment + case x.metric when 'continued' then interval '${windowMs.continued} milliseconds'
        else interval '${windowMs.returned} milliseconds' end
    from experiments x
    cross join lateral (
      select greatest(x.started_at, coalesce((
        select m.created_at from messages m where m.id = $5 and m.user_id = $4), $6::timestamptz)) as moment
    ) e
    where x.id = $1
    on conflict (experiment_id, subject) do nothing`,
};

interface Exposure {
  experimentId: string;
  subject: string;
  variant: string;
  /** Whose data it is. */
  userId: string;
  /** The message that is answered; null for a greeting. */
  messageId: string | null;
}

/** Stores that a person has met a variant. The commit fails if it fails. */
export const expose = (tx: Ctx, { experimentId, subject, variant, userId, messageId }: Exposure): Promise<void> =>
  sendSql(tx, insert, [experimentId, subject, variant, userId, messageId, tx.clock.now()]);

const findRunning = {
  name: 'experiment_greeting',
  text: `
    select x.id, x.variants, e.variant as "exposedVariant"
    from experiments x left join experiment_exposures e on e.experiment_id = x.id and e.subject = $2
    where x.agent_id = $1 and x.status = 'running' and (
      select count(distinct coalesce(v.greeting_message, '')) from agent_versions v
      where v.agent_id = $1 and v.id in (select i->>'versionId' from jsonb_array_elements(x.variants) i)
    ) > 1`,
};
const readGreeting = {
  name: 'experiment_greeting_text',
  text: `select greeting_message as greeting from agent_versions where id = $1`,
};

interface Running {
  id: string;
  variants: readonly Variant[];
  exposedVariant: string | null;
}

/**
 * The greeting of the person's variant, where the variants of a running experiment greet differently: meeting the greeting
 * is meeting the variant. Undefined where the agent's own greeting applies.
 */
export async function greetingOfVariant(
  tx: Ctx,
  { agentId, subject, userId }: { agentId: string; subject: string; userId: string },
): Promise<string | null | undefined> {
  const [running] = await tx.sql<Running>(findRunning, [agentId, subject]);
  if (!running) return undefined;
  const { id: experimentId, variants, exposedVariant } = running;
  const variant = variants.find(({ key }) => key === exposedVariant) ?? assignVariant(experimentId, subject, variants);
  if (!exposedVariant) await expose(tx, { experimentId, subject, variant: variant.key, userId, messageId: null });
  const [version] = await tx.sql<{ greeting: string | null }>(readGreeting, [variant.versionId]);
  return version?.greeting;
}
