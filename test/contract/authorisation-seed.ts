import type pg from 'pg';
import { newId } from '../../src/core/ids.ts';
import { type Account, type Client, expectStatus } from '../support/client.ts';
import type { Belongings, Person } from './operation-table.ts';

export interface Owner extends Account, Person {
  its: Belongings;
}

/** An account on the largest plan with one of everything. */
export async function createOwner(app: Client & { db: pg.Pool }): Promise<Owner> {
  const account = await app.signUp();
  const { id: userId, token: as, email, password } = account;
  await app.db.query(`update users set plan = 'creator' where id = $1`, [userId]);
  const post = async (path: string, body: unknown, status = 201) =>
    expectStatus(await app.call('POST', path, { as, body }), status).body;
  const login = await post('/v1/auth/login', { email, password }, 200);
  const sessions = expectStatus(await app.call('GET', '/v1/auth/sessions', { as }), 200).body.data;
  const { id: conversationId, agent_id: agentId } = await app.createConversation(as);
  const exchange = await post(`/v1/conversations/${conversationId}/messages`, { content: 'Hello.' });
  const form = new FormData();
  form.append('file', new Blob(['Refunds take five days.']), 'refunds.txt');
  const document = await post(`/v1/knowledge/${agentId}/documents`, form);
  const webhook = await post('/v1/webhooks', { url: 'https://127.0.0.1:9443/hook', events: ['agent.deleted'] });
  const key = await post('/v1/auth/api-keys', { name: 'one', scopes: ['account:read'] });
  const requested = await post('/v1/auth/export-data', undefined, 202);
  const one = async (statement: string, values: unknown[]) =>
    (await app.db.query<{ id: string }>(statement, values)).rows[0]?.id ?? '';
  const eventId = await one(`select id from outbox_events where account_id = $1 order by seq limit 1`, [userId]);
  return {
    ...account,
    refreshToken: login.refresh_token,
    its: {
      agentId,
      conversationId,
      messageId: exchange.assistant_message.id,
      generationId: await one(`select id from generations where conversation_id = $1`, [conversationId]),
      docId: document.id,
      webhookId: webhook.id,
      deliveryId: await one(
        `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at)
         values ($1, $2, $3, 'agent.created', 'failed', now(), now(), now()) returning id`,
        [newId('delivery'), webhook.id, eventId],
      ),
      integrationId: await one(
        `insert into integrations (id, owner_id, agent_id, platform, status, place, channel_ids, auto_respond, bot_token,
           token_hash, connected_at, created_at)
         values ($1, $2, $3, 'chat_messenger', 'inactive', '', '{}', false, '', decode(md5($1), 'hex'), now(), now())
         returning id`,
        [newId('integration'), userId, agentId],
      ),
      apiKeyId: key.id,
      sessionId: sessions.find(({ current }: { current: boolean }) => !current)?.id,
      exportId: requested.export_id,
      eventId,
    },
  };
}

/** Ids of the right form that nothing has. */
export const createRandomIds = (): Belongings => ({
  agentId: newId('agent'),
  conversationId: newId('conversation'),
  messageId: newId('message'),
  generationId: newId('generation'),
  docId: newId('document'),
  webhookId: newId('webhook'),
  deliveryId: newId('delivery'),
  integrationId: newId('integration'),
  apiKeyId: newId('apiKey'),
  sessionId: newId('session'),
  exportId: newId('export'),
  eventId: newId('event'),
});
