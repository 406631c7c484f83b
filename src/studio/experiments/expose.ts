import type { Ctx } from '../../core/ctx.ts';
import { sendSql } from '../../core/database/transaction.ts';
import { assignVariant, type Variant } from './assign-variant.ts';
import { windowMs } from './experiment-age.ts';

// The first exposure is kept. It has the time of the message that caused it, so that this message is inside the window.
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
  /** Account that is erased with the exposure: the user who takes part, or the owner of the conversation. */
  userId: string;
  /** The user message that gets the reply; null for a greeting. */
  messageId: string | null;
}

/**
 * Stores a person's exposure to a variant, if it is their first. Does not wait for the result: if the statement fails,
 * so does the commit.
 */
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
 * Returns the greeting of the person's variant, if a running experiment has variants with different greetings. Showing
 * the greeting counts as an exposure. Returns undefined if the agent's own greeting applies.
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
