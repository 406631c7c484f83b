import { randomUUID } from 'node:crypto';
import type { ModelId } from '../../agents/models.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { leaseSql } from '../../core/database/lease.ts';
import { completeText } from './complete-text.ts';
import { greetingPrompt } from './task-prompts.ts';

/** The input for generating a greeting. */
export interface GreetingAgent {
  id: string;
  name: string;
  model: ModelId;
  instructions: string;
}

const maxLength = 2_000;
/** Duration of the lease, in milliseconds. It is longer than the time limit of the task that generates a greeting. */
const leaseMs = 45_000;
/** Largest number of generated greetings that one account can cause on a UTC day. */
const maxPerDay = 20;

const behaviourOf = ({ model, instructions }: GreetingAgent): string =>
  sha256(`${model}\n${instructions}`).toString('hex');

const lease = leaseSql({ alias: 'g' });

const find = {
  name: 'agent_greeting_find',
  text: `select content from agent_greetings where agent_id = $1 and behaviour = $2 and content is not null`,
};
const claim = {
  name: 'agent_greeting_claim',
  text: `
    insert into agent_greetings as g (agent_id, behaviour, lease_token, lease_expires_at, created_at)
    values ($1, $2, $3, now() + interval '${leaseMs} milliseconds', now())
    on conflict (agent_id) do update set behaviour = $2, content = null, created_at = now(),
      ${leaseSql().claim('$3', leaseMs)}
    where ${lease.isFree} and (g.behaviour <> $2 or g.content is null)
    returning 1 as claimed`,
};
const save = {
  name: 'agent_greeting_save',
  text: `
    update agent_greetings g set content = $3, ${leaseSql().release}
    where g.agent_id = $1 and ${lease.isOwnedBy('$2')}`,
};
const charge = {
  name: 'agent_greeting_charge',
  text: `
    insert into usage_counters as u (user_id, day, messages, greetings)
    values ($1, (now() at time zone 'utc')::date, 0, 1)
    on conflict (user_id, day) do update set greetings = u.greetings + 1 where u.greetings < ${maxPerDay}
    returning 1 as charged`,
};

/**
 * Returns the greeting that was generated for the current model and instructions of the agent; null when there is none
 * yet.
 */
export async function findAgentGreeting(ctx: Ctx, agent: GreetingAgent): Promise<string | null> {
  const [greeting] = await ctx.sql<{ content: string }>(find, [agent.id, behaviourOf(agent)]);
  return greeting?.content ?? null;
}

/**
 * Generates the greeting of an agent and stores it for all its conversations. Beyond the daily limit of the account
 * that caused it, a fixed sentence is returned and not stored. Returns null while another process generates it or it
 * exists already.
 * @throws what the model throws
 */
export async function generateAgentGreeting(
  ctx: Ctx,
  agent: GreetingAgent,
  userId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const token = randomUUID();
  const claimed = await ctx.sql(claim, [agent.id, behaviourOf(agent), token]);
  if (claimed.length === 0) return null;
  let content: string | null = null;
  try {
    // Charged before the call, so that failing calls are limited too.
    if ((await ctx.sql(charge, [userId])).length === 0) return fixedGreeting(agent);
    const text = await completeText(ctx, agent.model, greetingPrompt(agent.instructions), signal);
    content = text.trim().slice(0, maxLength).toWellFormed() || fixedGreeting(agent);
    return content;
  } finally {
    await ctx.sql(save, [agent.id, token, content]);
  }
}

const fixedGreeting = ({ name }: GreetingAgent): string => `Hello, I am ${name}. How can I help you?`;
