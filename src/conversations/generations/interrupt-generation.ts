import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { lockConversation } from '../lock-conversation.ts';
import { failGenerations } from './fail-generation.ts';
import type { OwnedGeneration } from './generation-job.ts';
import { isOrphaned } from '../replies/reply-statements.ts';

const interrupted = {
  state: 'interrupted',
  code: 'internal_error',
  message: 'The service was interrupted while it wrote the reply. Send the message again.',
} as const;

const findOrphan = {
  name: 'generation_is_orphan',
  text: `select 1 as orphan from generations g where g.id = $1 and g.user_id = $2 and ${isOrphaned('g')}`,
};

/**
 * Interrupts a running generation if the lease of its instance has expired. The caller holds the lock of the
 * conversation. Returns whether it was interrupted.
 */
export async function interruptOrphan(tx: Ctx, generation: OwnedGeneration): Promise<boolean> {
  const orphans = await tx.sql(findOrphan, [generation.id, generation.userId]);
  return orphans.length > 0 && (await failGenerations(tx, [generation], interrupted)).ended.length > 0;
}

/**
 * Interrupts a running generation of the conversation if the lease of its instance has expired. Returns whether it was
 * interrupted.
 */
export const interruptIfOrphaned = (ctx: Ctx, conversationId: string, generation: OwnedGeneration): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    await lockConversation(tx, conversationId);
    return interruptOrphan(tx, generation);
  });

const batchSize = 500;

// Skips locked conversations: the transaction that holds the lock either ends the generation itself or has finished by
// the next run.
const lockOrphans = {
  name: 'generation_orphans',
  text: `
    select g.id, g.user_id as "userId" from generations g join conversations c on c.id = g.conversation_id and c.user_id = g.user_id
    where ${isOrphaned('g')} order by c.id limit ${batchSize} for no key update of c skip locked`,
};

/** Interrupts all generations whose instance has lost its lease, in batches. Returns their number. */
export async function interruptOrphans(ctx: Ctx): Promise<number> {
  for (let total = 0; ;) {
    const ended = await inTransaction(ctx, async (tx) => {
      const orphans = await tx.sql<OwnedGeneration>(lockOrphans);
      if (orphans.length === 0) return 0;
      return (await failGenerations(tx, orphans, interrupted)).ended.length;
    });
    if (ended === 0) return total;
    total += ended;
  }
}
