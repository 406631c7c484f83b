import { callerId } from '../../accounts/caller.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { megabytesOf, storedBytesOf } from '../storage/stored-bytes.ts';

/** Usage and limits of an account. A limit of -1 means unlimited. */
export interface Usage {
  plan: Plan;
  /** The current UTC day, until the next midnight. */
  periodStart: Date;
  periodEnd: Date;
  usage: {
    messagesSent: number;
    messagesLimit: number;
    agentsCreated: number;
    agentsLimit: number;
    knowledgeDocs: number;
    knowledgeLimit: number;
    /** Megabytes that the account stores, rounded up. */
    storedMegabytes: number;
    storedMegabytesLimit: number;
  };
}

const dayMs = 86_400_000;

// Plain SQL, which reads all counts in one statement.
const select = {
  name: 'billing_usage',
  text: `
    select u.plan,
      coalesce((select c.messages from usage_counters c where c.user_id = u.id and c.day = $2), 0) as "messagesSent",
      (select count(*) from agents a where a.owner_id = u.id and a.deleted_at is null) as "agentsCreated",
      (select count(*) from documents d where d.owner_id = u.id and d.status <> 'failed'
        and not exists (select from documents r where r.replaces = d.id and r.status = 'processing')
        and not exists (select from agents a where a.id = d.agent_id and a.deleted_at is not null)) as "knowledgeDocs",
      ${storedBytesOf('u.id')} as "storedBytes"
    from users u where u.id = $1`,
};

interface Counts {
  plan: Plan;
  messagesSent: number;
  agentsCreated: number;
  knowledgeDocs: number;
  storedBytes: number;
}

/** Returns the caller's current usage. */
export async function getUsage(ctx: Ctx): Promise<Usage> {
  const now = ctx.clock.now().getTime();
  const periodStart = new Date(now - (now % dayMs));
  const [row] = await ctx.sql<Counts>(select, [callerId(ctx), periodStart.toISOString().slice(0, 10)]);
  if (!row) throw new AppError('unauthenticated');
  const { messagesPerDay, agents, knowledgeDocuments, storedMegabytes } = ctx.catalog.planLimits;
  return {
    plan: row.plan,
    periodStart,
    periodEnd: new Date(periodStart.getTime() + dayMs),
    usage: {
      messagesSent: row.messagesSent,
      messagesLimit: shownLimit(messagesPerDay[row.plan]),
      agentsCreated: row.agentsCreated,
      agentsLimit: shownLimit(agents[row.plan]),
      knowledgeDocs: row.knowledgeDocs,
      knowledgeLimit: shownLimit(knowledgeDocuments[row.plan]),
      storedMegabytes: megabytesOf(row.storedBytes),
      storedMegabytesLimit: shownLimit(storedMegabytes[row.plan]),
    },
  };
}

/** Returns a limit in the form of the API: -1 means unlimited. */
export const shownLimit = (limit: number): number => (limit === Infinity ? -1 : limit);
