import { shareFeedback, useByFive } from './agent-use.ts';
import type { ConsoleApp, SignedInPage } from './browser.ts';
import { settled, upload } from './knowledge.ts';
import { socialOf } from './social.ts';

export interface Screen {
  path: string;
  heading: string;
  /** Where the command of "The same with the API" is, other than at the foot. */
  command?: 'menu' | 'header' | 'none';
}

const greeting =
  '## Hello\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [link](https://example.com)';

/** Gives the account of a page one of everything, and returns all of its screens. */
export async function furnishAccount(app: ConsoleApp, page: SignedInPage): Promise<Screen[]> {
  const as = page.token;
  await app.db.query(`update users set plan = 'plus' where email = $1`, [page.visitor.email]);
  const call = async (method: string, path: string, body?: object) => (await app.call(method, path, { as, body })).body;
  const post = (path: string, body: object) => call('POST', path, body);
  const { id: userId, username } = await call('GET', '/v1/auth/me');
  const fields = { instructions: 'Be kind.\nBe brief.', greeting_message: greeting, is_public: true };
  const { id: conversation, agent_id: agentId } = await app.createConversation(as, { name: 'Ada', ...fields });
  await call('PATCH', `/v1/conversations/${conversation}`, { title: 'Numbers' });
  await compareVersions(app, as, agentId);
  const place = { token: as, userId: '', agentId, documents: `/v1/knowledge/${agentId}/documents` };
  const { id: document } = (await upload(app, place, 'refunds.txt', 'Refunds are paid within five working days.')).body;
  await settled(app, place, document);
  const integration = await post('/v1/integrations/chat_messenger', { agent_id: agentId, bot_token: 'any' });
  const webhook = { url: 'https://hooks.invalid/', description: 'Orders', events: ['agent.created'] };
  const { id: hook } = await post('/v1/webhooks', webhook);
  const delivery = await post(`/v1/webhooks/${hook}/test`, {});
  const { id: room } = await post('/v1/rooms', { name: 'Kitchen' });
  await post(`/v1/rooms/${room}/messages`, { content: 'Hello.' });
  const embed = await post('/v1/embeds', { agent_id: agentId, name: 'Shop', allowed_origins: ['https://example.com'] });
  await post('/v1/auth/api-keys', { name: 'Reports', scopes: ['agents:read'] });
  const maker = await befriendMaker(app, as, userId);
  await call('PUT', `/v1/social/likes/${agentId}`);
  await holdAgent(app, agentId, userId);
  const foreign = await app.createAgent(maker.token, { name: 'Shop', is_public: true });
  await post('/v1/reports', { subject_type: 'agent', subject_id: foreign.id, reason: 'spam', comment: 'Adverts.' });
  const { slug } = await call('GET', `/v1/marketplace/agents/${foreign.id}`);
  return [
    { path: '/chat', heading: 'New chat', command: 'header' },
    { path: `/chat/${conversation}`, heading: 'Numbers', command: 'menu' },
    { path: '/search', heading: 'Search' },
    { path: '/search?q=hello', heading: 'Search' },
    { path: '/rooms', heading: 'Rooms' },
    { path: `/rooms/${room}`, heading: 'Kitchen', command: 'header' },
    { path: `/rooms/${room}/settings`, heading: 'Settings of Kitchen' },
    { path: '/agents', heading: 'Agents' },
    { path: '/agents/new', heading: 'New agent' },
    { path: `/agents/${agentId}/edit`, heading: 'Ada' },
    { path: `/agents/${agentId}/knowledge`, heading: 'Knowledge of Ada' },
    { path: `/agents/${agentId}/knowledge/${document}?chunk=0`, heading: 'refunds.txt' },
    { path: `/agents/${agentId}/listing`, heading: 'Listing of Ada' },
    { path: `/agents/${agentId}/versions`, heading: 'Versions of Ada' },
    { path: `/agents/${agentId}/experiments`, heading: 'Experiments with Ada' },
    { path: `/agents/${agentId}/analytics`, heading: 'Analytics of Ada' },
    { path: '/studio', heading: 'Analytics' },
    { path: '/explore', heading: 'Explore' },
    { path: `/explore/${agentId}`, heading: 'Ada' },
    { path: '/marketplace', heading: 'Marketplace' },
    { path: '/marketplace?q=shop', heading: 'Marketplace' },
    { path: `/marketplace/${slug}`, heading: 'Shop' },
    { path: '/feed', heading: 'Feed' },
    { path: `/users/${username}`, heading: username },
    { path: '/me/likes', heading: 'Likes' },
    { path: '/me/following', heading: 'Following' },
    { path: '/me/followers', heading: 'Followers' },
    { path: `/users/${maker.name}`, heading: maker.name },
    { path: `/users/${maker.name}/followers`, heading: `Followers of ${maker.name}` },
    { path: `/users/${maker.name}/following`, heading: `Followed by ${maker.name}` },
    { path: '/embeds', heading: 'Embeds' },
    { path: `/embeds/${embed.id}`, heading: 'Shop' },
    { path: '/integrations', heading: 'Integrations' },
    { path: '/integrations?connect=CHAT_SERVER', heading: 'Integrations', command: 'none' },
    { path: `/integrations/${integration.id}`, heading: 'Ada on Telegram' },
    { path: '/webhooks', heading: 'Webhooks' },
    { path: `/webhooks/${hook}`, heading: 'Orders' },
    { path: `/webhooks/${hook}?delivery=${delivery.id}`, heading: 'Orders', command: 'none' },
    { path: '/events', heading: 'Events' },
    { path: '/events/catalog', heading: 'Event catalog' },
    { path: '/api-keys', heading: 'API keys' },
    { path: '/settings/profile', heading: 'Profile' },
    { path: '/settings/security', heading: 'Security' },
    { path: '/settings/sharing', heading: 'Sharing' },
    { path: '/settings/reports', heading: 'Reports and decisions' },
    { path: '/settings/billing', heading: 'Billing' },
    { path: '/settings/data', heading: 'Data' },
    { path: '/settings/preferences', heading: 'Preferences' },
    // What it moves and shows is simulated: there is no API for it.
    { path: '/settings/local', heading: 'Local profile', command: 'none' },
  ];
}

/** Two versions in a running experiment, and people whose figures compare them. */
async function compareVersions(app: ConsoleApp, as: string, agentId: string): Promise<void> {
  const studio = `/v1/studio/agents/${agentId}`;
  const post = async (path: string, body: object) => (await app.call('POST', path, { as, body })).body;
  const draft = await post(`${studio}/versions`, { instructions: 'Be kind.\nBe thorough.', note: 'Thorough' });
  const live = (await app.call('GET', `${studio}/versions`, { as })).body.data[1];
  const variants = [
    { key: 'a', version_id: live.id, weight: 50 },
    { key: 'b', version_id: draft.id, weight: 50 },
  ];
  const experiment = await post(`${studio}/experiments`, { name: 'Thorough or brief', variants });
  await post(`/v1/studio/experiments/${experiment.id}/start`, {});
  await useByFive(app, agentId);
  await shareFeedback(app, agentId);
}

/** A person with a public agent, whom the account follows and who follows it. */
async function befriendMaker(app: ConsoleApp, as: string, userId: string) {
  const maker = await socialOf(app).person('maker');
  await app.call('PUT', `/v1/social/following/${maker.id}`, { as });
  await socialOf(app).put(`/social/following/${userId}`, maker);
  await app.createAgent(maker.token, { name: 'Cook', description: 'Cooks with you.', is_public: true });
  return maker;
}

/** A decision that its author can appeal against. */
const holdAgent = (app: ConsoleApp, agentId: string, userId: string): Promise<unknown> =>
  app.db.query(
    `insert into moderation_decisions (id, subject_type, subject_id, author_id, action, reason, statement, automated, created_at, updated_at)
     values ('dec_' || gen_random_uuid(), 'agent', $1, $2, 'hold', 'spam', 'It only advertises.', true, now(), now())`,
    [agentId, userId],
  );
