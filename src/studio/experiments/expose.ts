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

/** Condition: some of the versions greet differently. A version without a greeting has a generated one of its own. */
const greetDifferently = (versionIds: string): string => `(
  select count(distinct coalesce(nullif(v.greeting_message, ''), v.id)) from agent_versions v
  where v.agent_id = x.agent_id and v.id in (${versionIds})) > 1`;
const idsOfVariants = `select i->>'versionId' from jsonb_array_elements(x.variants) i`;
const idOfLive = `select a.live_version_id from agents a where a.id = x.agent_id`;

const findRunning = {
  name: 'experiment_greeting',
  text: `
    select x.id, x.variants, e.variant as "exposedVariant", ${greetDifferently(idsOfVariants)} as "greetDifferently"
    from experiments x left join experiment_exposures e on e.experiment_id = x.id and e.subject = $2
    where x.agent_id = $1 and x.status = 'running'`,
};
const readGreeting = {
  name: 'experiment_greeting_text',
  text: `select id as "versionId", greeting_message as greeting from agent_versions where id = $1`,
};
const checkGreetings = {
  name: 'experiment_greetings_differ',
  text: `
    select 1 as differ from experiments x
    where x.agent_id = $1 and x.status = 'running' and ${greetDifferently(`${idsOfVariants} union ${idOfLive}`)}`,
};

interface Running {
  id: string;
  variants: readonly Variant[];
  exposedVariant: string | null;
  greetDifferently: boolean;
}

/** The version that greets in a conversation, with the greeting that its owner wrote. */
export interface GreetingChoice {
  /** Null if the agent has no stored version yet. */
  versionId: string | null;
  greeting: string | null;
}

/**
 * Returns the version of the person's variant in the agent's running experiment. Showing its greeting counts as an
 * exposure if the variants greet differently. Returns undefined without an experiment.
 */
export async function variantToGreet(
  tx: Ctx,
  { agentId, subject, userId }: { agentId: string; subject: string; userId: string },
): Promise<GreetingChoice | undefined> {
  const [running] = await tx.sql<Running>(findRunning, [agentId, subject]);
  if (!running) return undefined;
  const { id: experimentId, variants, exposedVariant } = running;
  const variant = variants.find(({ key }) => key === exposedVariant) ?? assignVariant(experimentId, subject, variants);
  if (!exposedVariant && running.greetDifferently)
    await expose(tx, { experimentId, subject, variant: variant.key, userId, messageId: null });
  const [version] = await tx.sql<GreetingChoice>(readGreeting, [variant.versionId]);
  return version;
}

/** Returns whether a variant of the agent's running experiment greets differently from another one or the live version. */
export const greetsByVariant = async (ctx: Ctx, agentId: string): Promise<boolean> =>
  (await ctx.sql(checkGreetings, [agentId])).length > 0;
