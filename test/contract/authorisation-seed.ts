import type pg from 'pg';
import { newId, newUuid } from '../../src/core/ids.ts';
import { type Account, type Client, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { seedPublicFigure } from './public-figure.ts';
import type { Belongings, Person } from './operation-table.ts';

export interface Owner extends Account, Person {
  its: Belongings;
}

/** An account on the largest plan with one of everything. */
export async function createOwner(app: Client & { db: pg.Pool }): Promise<Owner> {
  await seedPublicFigure(app.db);
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
  const version = await post(`/v1/studio/agents/${agentId}/versions`, { note: 'Draft' });
  const variants = ['a', 'b'].map((variant) => ({ key: variant, version_id: version.id, weight: 50 }));
  const experiment = await post(`/v1/studio/agents/${agentId}/experiments`, { name: 'Twice', variants });
  const webhook = await post('/v1/webhooks', { url: 'https://127.0.0.1:9443/hook', events: ['agent.deleted'] });
  const key = await post('/v1/auth/api-keys', { name: 'one', scopes: ['account:read'] });
  const requested = await post('/v1/auth/export-data', undefined, 202);
  const one = async (statement: string, values: unknown[]) =>
    (await app.db.query<{ id: string }>(statement, values)).rows[0]?.id ?? '';
  const made = await post('/v1/images', { kind: 'avatar', prompt: 'An owl.' }, 202);
  const imageId = made.data[0].id;
  await eventually(async () => (await app.call('GET', `/v1/images/${imageId}`, { as })).body.status === 'ready');
  const origin = 'https://shop.example';
  const embed = await post('/v1/embeds', { agent_id: agentId, name: 'Shop', allowed_origins: [origin] });
  await post('/v1/embed/sessions', { embed_id: embed.id, parent_origin: origin }, 200);
  const share = await post('/v1/social/shares', { type: 'conversation', conversation_id: conversationId });
  const shown = await post('/v1/agents', { name: 'Grace', instructions: 'Teach.', is_public: true });
  await post('/v1/reports', { subject_type: 'agent', subject_id: shown.id, reason: 'spam' });
  await post('/v1/reports', { subject_type: 'image', subject_id: imageId, reason: 'spam' });
  const room = await seedRoom(app, { as, agentId });
  const eventId = await one(`select id from outbox_events where account_id = $1 order by seq limit 1`, [userId]);
  return {
    ...account,
    refreshToken: login.refresh_token,
    roomToken: room.token,
    invitee: room.invitee,
    its: {
      agentId,
      versionId: version.id,
      experimentId: experiment.id,
      conversationId,
      messageId: exchange.assistant_message.id,
      generationId: await one(`select id from generations where conversation_id = $1`, [conversationId]),
      docId: document.id,
      webhookId: webhook.id,
      deliveryId: await one(
        `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at)
         values ($1, $2, $3, 'agent.created', 'failed', now(), now(), now()) returning id`,
        [newId('dlv_'), webhook.id, eventId],
      ),
      integrationId: await one(
        `insert into integrations (id, owner_id, agent_id, platform, status, place, channel_ids, auto_respond, bot_token,
           token_hash, connected_at, created_at)
         values ($1, $2, $3, 'chat_messenger', 'inactive', '', '{}', false, '', decode(md5($1), 'hex'), now(), now())
         returning id`,
        [newId('int_'), userId, agentId],
      ),
      apiKeyId: key.id,
      sessionId: sessions.find(({ current }: { current: boolean }) => !current)?.id,
      exportId: requested.export_id,
      eventId,
      imageId,
      embedId: embed.id,
      visitorId: await one(`select id from embed_visitors where embed_id = $1`, [embed.id]),
      shareId: share.id,
      publicAgentId: shown.id,
      reviewId: await one(
        `insert into reviews (id, agent_id, user_id, rating, is_counted, created_at, updated_at)
         values ($1, $2, $3, 5, true, now(), now()) returning id`,
        [newId('rev_'), agentId, userId],
      ),
      decisionId: await one(
        `insert into moderation_decisions (id, subject_type, subject_id, author_id, action, reason, statement, automated, created_at, updated_at)
         values ($1, 'agent', $2, $3, 'hold', 'spam', 'Too much.', true, now(), now()) returning id`,
        [newId('dec_'), agentId, userId],
      ),
      accountId: userId,
      ...room.its,
    },
  };
}

/** A room of the account with another person, and rooms of that person for the account. */
async function seedRoom(app: Client & { db: pg.Pool }, { as, agentId }: { as: string; agentId: string }) {
  const other = await app.signUp();
  await app.db.query(`update users set plan = 'creator' where id = $1`, [other.id]);
  const post = async (by: string, path: string, body: unknown, status = 201) =>
    expectStatus(await app.call('POST', path, { as: by, body }), status).body;
  const me = expectStatus(await app.call('GET', '/v1/auth/me', { as }), 200).body;
  const roomId = (await post(as, '/v1/rooms', { name: 'Kitchen' })).id;
  await post(as, `/v1/rooms/${roomId}/agents`, { agent_id: agentId });
  const link = await post(as, `/v1/rooms/${roomId}/invitations`, {});
  await post(other.token, '/v1/rooms/join', { token: link.token }, 200);
  const posted = await post(as, `/v1/rooms/${roomId}/messages`, { content: '@Ada?' });
  const turn = await post(as, `/v1/rooms/${roomId}/turns`, { agent_id: agentId });
  const invite = async (name: string) => {
    const { id } = await post(other.token, '/v1/rooms', { name });
    await post(other.token, `/v1/rooms/${id}/members`, { username: me.username });
    return id as string;
  };
  const [invitedRoomId, offeredRoomId, leftRoomId] = [await invite('One'), await invite('Two'), await invite('Three')];
  await post(as, `/v1/rooms/${leftRoomId}/join`, undefined, 200);
  const joinAndBeOffered = async (name: string): Promise<string> => {
    const offered = await invite(name);
    await post(as, `/v1/rooms/${offered}/join`, undefined, 200);
    await post(other.token, `/v1/rooms/${offered}/transfer`, { user_id: me.id }, 200);
    return offered;
  };
  const [acceptedRoomId, declinedRoomId] = [await joinAndBeOffered('Four'), await joinAndBeOffered('Five')];
  const invitee = `invitee-${newUuid().slice(-12)}`;
  await app.signUp({ username: invitee });
  const its = { roomId, roomMessageId: posted.message.id, turnId: turn.id, invitationId: link.id, memberId: other.id };
  return {
    its: { ...its, invitedRoomId, offeredRoomId, leftRoomId, acceptedRoomId, declinedRoomId },
    token: link.token as string,
    invitee,
  };
}

/** Well-formed ids of nothing. */
export const createRandomIds = (): Belongings => ({
  agentId: newUuid(),
  versionId: newId('ver_'),
  experimentId: newId('xpt_'),
  conversationId: newId('conv_'),
  messageId: newId('msg_'),
  generationId: newId('gen_'),
  docId: newId('doc_'),
  webhookId: newId('wh_'),
  deliveryId: newId('dlv_'),
  integrationId: newId('int_'),
  apiKeyId: newId('key_'),
  sessionId: newId('ses_'),
  exportId: newId('exp_'),
  eventId: newId('evt_'),
  imageId: newId('img_'),
  embedId: newId('emb_'),
  visitorId: newId('vis_'),
  shareId: newId('shr_'),
  publicAgentId: newUuid(),
  reviewId: newId('rev_'),
  decisionId: newId('dec_'),
  roomId: newId('room_'),
  roomMessageId: newId('rms_'),
  turnId: newId('trn_'),
  invitationId: newId('rin_'),
  memberId: newId('usr_'),
  accountId: newId('usr_'),
  invitedRoomId: newId('room_'),
  offeredRoomId: newId('room_'),
  leftRoomId: newId('room_'),
  acceptedRoomId: newId('room_'),
  declinedRoomId: newId('room_'),
});
