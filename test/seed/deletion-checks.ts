import { deleteAccount } from '../../src/accounts/deletion/account-deletion.ts';
import { deleteAgent } from '../../src/agents/agents.ts';
import { deleteConversation } from '../../src/conversations/conversations.ts';
import { deleteWebhook } from '../../src/webhooks/webhooks.ts';
import type { CheckContext } from './check-context.ts';
import { type Check, timeOf } from './measure.ts';
import { busyAgentId, busyWebhookId, ownerId } from './part.ts';

/** Requests that delete large objects. Each deletion is undone before its removal task starts. */
export function deletionChecks({ db, as }: CheckContext): Check[] {
  const request = (what: string, remove: () => Promise<unknown>, undo: () => Promise<unknown>): Check => ({
    id: 'G1',
    what: `request to delete ${what}`,
    boundMs: 100,
    run: async () => {
      const ms = await timeOf(remove);
      await undo();
      return ms;
    },
  });
  const restore = async (table: string, id: string, columns = ''): Promise<void> => {
    await db.query(`delete from tasks where key = $1`, [id]);
    await db.query(`update ${table} set deleted_at = null${columns} where id = $1`, [id]);
  };
  const talk = async (): Promise<{ id: string; userId: string }> => {
    const { rows } = await db.query<{ id: string; userId: string }>(
      `select id, user_id as "userId" from conversations where agent_id = $1 order by message_count desc limit 1`,
      [busyAgentId],
    );
    if (!rows[0]) throw new Error('there is no conversation');
    return rows[0];
  };
  return [
    request(
      'an agent with many messages',
      () => deleteAgent(as(ownerId), busyAgentId),
      () => restore('agents', busyAgentId),
    ),
    request(
      'a webhook with many deliveries',
      () => deleteWebhook(as(ownerId), busyWebhookId),
      () => restore('webhooks', busyWebhookId),
    ),
    {
      id: 'G1',
      what: 'request to delete a conversation',
      boundMs: 100,
      run: async () => {
        const { id, userId } = await talk();
        const ms = await timeOf(() => deleteConversation(as(userId), id));
        await restore('conversations', id);
        return ms;
      },
    },
    request(
      'an account with all of it',
      () => deleteAccount(as(ownerId)),
      async () => {
        await db.query(`delete from tasks where key = $1 or payload ->> 'userId' = $1`, [ownerId]);
        await db.query(`update users set deletion_requested_at = null where id = $1`, [ownerId]);
      },
    ),
  ];
}
