import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/transaction.ts';
import { recordFailure } from './fail-generation.ts';
import { leaseSeconds } from './instances.ts';
import { lockConversation } from './lock-conversation.ts';

const orphaned = `
  g.state = 'running' and not exists (
    select 1 from instances i where i.id = g.instance_id and i.heartbeat_at > now() - interval '${leaseSeconds} seconds')`;

const isOrphan = {
  name: 'generation_is_orphan',
  text: `select 1 as orphan from generations g where g.id = $1 and ${orphaned}`,
};
const findOrphans = {
  name: 'generation_orphans',
  text: `select g.id, g.conversation_id as "conversationId" from generations g where ${orphaned} order by g.created_at limit 100`,
};

/**
 * Ends a running generation whose instance has died, when it is one: its text stays for the record, its charge is given
 * back and the conversation can be answered again. The caller holds the conversation's lock.
 */
export async function interruptOrphan(ctx: Ctx, generationId: string): Promise<boolean> {
  const rows = await ctx.sql(isOrphan, [generationId]);
  if (rows.length === 0) return false;
  return recordFailure(
    ctx,
    generationId,
    'interrupted',
    'internal_error',
    'The service was interrupted while it wrote the reply. Send the message again.',
  );
}

/** Interrupts every generation whose instance has died, and answers how many there were. */
export async function interruptOrphans(ctx: Ctx): Promise<number> {
  const orphans = await ctx.sql<{ id: string; conversationId: string }>(findOrphans);
  let interrupted = 0;
  for (const { id, conversationId } of orphans) {
    const done = await inTransaction(ctx, async (tx) => {
      await lockConversation(tx, conversationId);
      return interruptOrphan(tx, id);
    });
    if (done) interrupted++;
  }
  return interrupted;
}
