import { purgeAccount } from '../../src/accounts/deletion/purge-account.ts';
import { deleteAgent } from '../../src/agents/agents.ts';
import { removeAgent } from '../../src/agents/remove-agent.ts';
import type { CheckContext } from './check-context.ts';
import { forget } from './fill.ts';
import { type Check, longestStatement } from './measure.ts';
import { busyAgentId, ownerId } from './part.ts';
import { parts } from './parts.ts';

const run = {
  attempt: 1,
  signal: new AbortController().signal,
  heartbeat: async () => undefined,
  complete: async () => undefined,
};

/** The removal tasks that follow deletions, in batches; measures the longest statement of each. Reseed afterwards. */
export function removalChecks({ db, system, as }: CheckContext): Check[] {
  const removal = (what: string, names: readonly string[], work: () => Promise<number>): Check => ({
    id: 'G1',
    what: `removal of ${what}: longest statement`,
    boundMs: 1_000,
    times: 1,
    run: async () => {
      await forget(
        db,
        parts.filter(({ name }) => names.includes(name)),
      );
      return work();
    },
  });
  return [
    removal('an agent with its messages', ['messages'], async () => {
      await deleteAgent(as(ownerId), busyAgentId);
      return longestStatement(() => removeAgent(system(), busyAgentId, run));
    }),
    removal('an account with its webhook and documents', ['deliveries', 'chunks'], async () => {
      await db.query('update users set deletion_requested_at = now() where id = $1', [ownerId]);
      return longestStatement(() =>
        purgeAccount({ ...system(), catalog: { ...system().catalog, purgeSteps: [] } }, ownerId, run),
      );
    }),
  ];
}
