import { randomUUID } from 'node:crypto';
import type { VersionFields } from '../../agents/agent-version.entity.ts';
import type { Ctx } from '../../core/ctx.ts';
import { leaseSql } from '../../core/database/lease.ts';
import type { GreetingChoice } from '../../studio/experiments/expose.ts';
import { completeText } from './complete-text.ts';
import { greetingPrompt } from './task-prompts.ts';

/** The input for generating a greeting: a version, and the name of its agent. */
export interface GreetingVersion extends Pick<VersionFields, 'id' | 'model' | 'instructions'> {
  agentName: string;
}

const maxLength = 2_000;
/** Duration of the lease, in milliseconds. It is longer than the time limit of the task that generates a greeting. */
const leaseMs = 45_000;
/** Largest number of generated greetings that one account can cause on a UTC day. */
const maxPerDay = 20;

const lease = leaseSql({ alias: 'g' });

const find = {
  name: 'version_greeting_find',
  text: `select content from version_greetings where version_id = $1 and content is not null`,
};
const claim = {
  name: 'version_greeting_claim',
  text: `
    insert into version_greetings as g (version_id, lease_token, lease_expires_at, created_at)
    values ($1, $2, now() + interval '${leaseMs} milliseconds', now())
    on conflict (version_id) do update set created_at = now(), ${leaseSql().claim('$2', leaseMs)}
    where ${lease.isFree} and g.content is null
    returning 1 as claimed`,
};
const save = {
  name: 'version_greeting_save',
  text: `
    update version_greetings g set content = $3, ${leaseSql().release}
    where g.version_id = $1 and ${lease.isOwnedBy('$2')}`,
};
const charge = {
  name: 'version_greeting_charge',
  text: `
    insert into usage_counters as u (user_id, day, messages, greetings)
    values ($1, (now() at time zone 'utc')::date, 0, 1)
    on conflict (user_id, day) do update set greetings = u.greetings + 1 where u.greetings < ${maxPerDay}
    returning 1 as charged`,
};

/**
 * Returns the greeting that the owner wrote for a version, or else the one that was generated for it; null when there
 * is neither.
 */
export async function findGreeting(ctx: Ctx, { versionId, greeting }: GreetingChoice): Promise<string | null> {
  if (greeting || versionId === null) return greeting;
  const [generated] = await ctx.sql<{ content: string }>(find, [versionId]);
  return generated?.content ?? null;
}

/**
 * Generates the greeting of a version and stores it for all its conversations. Beyond the daily limit of the account
 * that caused it, a fixed sentence is returned and not stored. Returns null while another process generates it or it
 * exists already.
 * @throws what the model throws
 */
export async function generateVersionGreeting(
  ctx: Ctx,
  version: GreetingVersion,
  userId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const token = randomUUID();
  const claimed = await ctx.sql(claim, [version.id, token]);
  if (claimed.length === 0) return null;
  let content: string | null = null;
  try {
    // Charged before the call, so that failing calls are limited too.
    if ((await ctx.sql(charge, [userId])).length === 0) return fixedGreeting(version);
    const text = await completeText(ctx, version.model, greetingPrompt(version.instructions), signal);
    content = text.trim().slice(0, maxLength).toWellFormed() || fixedGreeting(version);
    return content;
  } finally {
    await ctx.sql(save, [version.id, token, content]);
  }
}

const fixedGreeting = ({ agentName }: GreetingVersion): string => `Hello, I am ${agentName}. How can I help you?`;
