import type pg from 'pg';
import { texts as images } from '../../web/src/images/texts.ts';
import { texts as marketplace } from '../../web/src/marketplace/texts.ts';
import { texts as social } from '../../web/src/social/texts.ts';
import { texts as studioTexts } from '../../web/src/studio/texts.ts';
import { texts as voice } from '../../web/src/voice/texts.ts';
import { seedModeration } from './seed-moderation.ts';
import { seedFeed, seedRoom } from './seed-social.ts';
import { seedUse } from './seed-use.ts';
import { type ServiceClient, serviceClient } from './service-client.ts';

interface Screens {
  email: string;
  visitor: readonly Screen[];
  member: readonly Screen[];
  moderator: readonly Screen[];
}

/** A picture: its name, its path, and what to press before it is taken: a key, or a button, which may open a dialog or a region. */
export type Screen = readonly [name: string, path: string, ...press: readonly string[]];

const email = 'ada@example.com';

const guide = `# Opening hours

The library is open from nine to eight on weekdays and from ten to four on Saturdays. It is closed on Sundays.

# Borrowing

Books can be borrowed for four weeks and renewed twice. Reference works stay in the reading hall.
`;

const greeting = `Hello! I explain mathematics one step at a time. For example, a number is **prime** when it has exactly two divisors:

\`\`\`ts
export function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}
\`\`\`

| Number | Prime | Reason |
| --- | --- | --- |
| 7 | yes | no divisor but 1 and 7 |
| 9 | no | 3 × 3 |

The sum of the first *n* numbers is $\\frac{n(n+1)}{2}$. What would you like to work on?`;

const instructions = 'You are a patient mathematics tutor. Explain one step at a time, with a short example for each.';

/** An account that uses everything, and the screens to take pictures of. `moderator` is a token of one. */
export async function seed(baseUrl: string, db: pg.Client, moderator: string): Promise<Screens> {
  const client = serviceClient(baseUrl);
  const token = await client.signUp(email, 'ada.lovelace');
  await db.query('update users set email_verified = true where email = $1', [email]);
  await buyPlus(client, baseUrl, token);
  const tutor = await client.post(
    '/v1/agents',
    {
      name: 'Euler',
      description: 'A patient mathematics tutor.',
      category: 'tutor',
      greeting_message: greeting,
      instructions,
      is_public: true,
    },
    token,
  );
  await seedUse(client, db, tutor.id);
  const post = (path: string, body: object | FormData = {}) => client.post(path, body, token);
  await seedStudio(client, tutor.id, token);
  const librarian = await post('/v1/agents', {
    name: 'Librarian',
    description: 'Knows the opening hours and how borrowing works.',
    category: 'assistant',
    greeting_message: 'Welcome to the library.',
    instructions: 'Answer from the documents.',
    is_public: true,
  });
  const poet = { name: 'Rumi', description: 'Short poems about everyday things.', category: 'creative' };
  await post('/v1/agents', { ...poet, instructions: 'Write short poems.', is_public: true });
  await seedListing(client, tutor.id, token);
  const { friends, shareUrl } = await seedFeed(client, token);
  const file = new FormData();
  file.append('file', new Blob([guide], { type: 'text/markdown' }), 'library-guide.md');
  const document = await post(`/v1/knowledge/${librarian.id}/documents`, file);
  const conversation = await post('/v1/conversations', { agent_id: tutor.id, title: 'Prime numbers' });
  await post(`/v1/conversations/${conversation.id}/messages`, { content: 'Is 91 a prime number?' });
  const integration = await seedIntegrations(client, librarian.id, tutor.id, token);
  const webhook = await seedWebhooks(client, token);
  const embed = await seedEmbed(client, librarian.id, token);
  await post('/v1/auth/api-keys', { name: 'Reports', scopes: ['agents:read', 'conversations:read'] });
  const room = await seedRoom(client, { token, agentIds: [librarian.id, tutor.id], friends });
  const reported = await seedModeration(client, { token, agentId: tutor.id }, moderator);
  const studio = `/agents/${tutor.id}`;
  return {
    email,
    visitor: [
      ['welcome', '/'],
      ['sign-up', '/sign-up'],
      ['marketplace-visitor', '/marketplace'],
      ['shared', new URL(shareUrl).pathname],
    ],
    member: [
      ['new-chat', `/chat?agent=${librarian.id}`],
      ['chat', `/chat/${conversation.id}`],
      ['talk', `/chat/${conversation.id}`, `region:${voice.talk}`],
      ['rooms', '/rooms'],
      ['room', `/rooms/${room.id}`],
      ['room-settings', `/rooms/${room.id}/settings`],
      ['search', '/search?q=prime'],
      ['palette', '/agents', 'Control+k'],
      ['keys', '/agents', '?'],
      ['agents', '/agents'],
      ['agent-editor', `${studio}/edit`],
      ['picture', `${studio}/edit`, `dialog:${images.makePicture}`],
      ['listing', `${studio}/listing`],
      ['publish', `${studio}/listing`, `dialog:${marketplace.makePrivate}`],
      ['banner', `${studio}/listing`, `dialog:${images.makeBanner}`],
      ['versions', `${studio}/versions`, `button:${studioTexts.compare}`],
      ['experiments', `${studio}/experiments`],
      ['analytics', `${studio}/analytics`],
      ['studio', '/studio'],
      ['knowledge', `/agents/${librarian.id}/knowledge?query=When+is+the+library+open%3F`],
      ['passages', `/agents/${librarian.id}/knowledge/${document.id}`],
      ['explore', '/explore'],
      ['explored-agent', `/explore/${tutor.id}`],
      ['marketplace', '/marketplace'],
      ['marketplace-agent', `/marketplace/${tutor.id}`],
      ['feed', '/feed'],
      ['person', '/users/ada.lovelace'],
      ['share-agent', `/marketplace/${reported.agentId}`, `dialog:${social.share}`],
      ['likes', '/me/likes'],
      ['user-followers', '/users/ada.lovelace/followers'],
      ['embeds', '/embeds'],
      ['embed', `/embeds/${embed.id}`],
      ['integrations', '/integrations'],
      ['connect', '/integrations?connect=CHAT_SERVER'],
      ['integration', `/integrations/${integration.id}`],
      ['webhooks', '/webhooks'],
      ['webhook', `/webhooks/${webhook.id}`],
      ['delivery', `/webhooks/${webhook.id}?delivery=${webhook.deliveryId}`],
      ['events', '/events'],
      ['event-catalog', '/events/catalog'],
      ['api-keys', '/api-keys'],
      ['profile', '/settings/profile'],
      ['security', '/settings/security'],
      ['sharing', '/settings/sharing'],
      ['billing', '/settings/billing'],
      ['data', '/settings/data'],
      ['preferences', '/settings/preferences'],
      ['reports', '/settings/reports'],
      ['local', '/settings/local'],
    ],
    moderator: [
      ['cases', '/moderation'],
      ['case', `/moderation/agent/${reported.agentId}`],
      ['case-appeal', `/moderation/share/${reported.shareId}`],
    ],
  };
}

const about = `## What we do

- Numbers, from primes to fractions
- *Proofs*, one step at a time

Bring an exercise, or ask for one.`;

async function seedListing(client: ServiceClient, agentId: string, token: string): Promise<void> {
  const starters = ['Why is 91 not prime?', 'Explain fractions with a cake.'];
  const listing = { slug: 'euler', about, starters, tags: ['mathematics', 'school'], language: 'en' };
  await client.call('PUT', `/v1/agents/${agentId}/listing`, listing, token);
}

async function buyPlus(client: ServiceClient, baseUrl: string, token: string): Promise<void> {
  const order = { plan: 'plus', interval: 'month', success_url: baseUrl, cancel_url: baseUrl };
  const checkout = await client.post('/v1/billing/checkout', order, token);
  await fetch(`${baseUrl}/dev/processor/checkout/${checkout.session_id}`, {
    method: 'POST',
    body: new URLSearchParams({ card: 'good' }),
    redirect: 'manual',
  });
}

async function seedStudio(client: ServiceClient, agentId: string, token: string): Promise<void> {
  const studio = `/v1/studio/agents/${agentId}`;
  const { data } = await client.call('GET', `${studio}/versions`, undefined, token);
  const brief = { instructions: `${instructions}\nNever write more than five sentences.`, note: 'Shorter replies' };
  const draft = await client.post(`${studio}/versions`, brief, token);
  const variants = [
    { key: 'a', version_id: data[0]?.id, weight: 50 },
    { key: 'b', version_id: draft.id, weight: 50 },
  ];
  const experiment = await client.post(`${studio}/experiments`, { name: 'Shorter replies', variants }, token);
  await client.post(`/v1/studio/experiments/${experiment.id}/start`, {}, token);
}

async function seedIntegrations(client: ServiceClient, librarianId: string, tutorId: string, token: string) {
  const channels = { guild_id: '420070400000000001', channel_ids: ['general', 'help'] };
  const discord = { agent_id: librarianId, bot_token: 'any', ...channels };
  const integration = await client.post('/v1/integrations/chat_server', discord, token);
  const message = { author: 'Grace', text: 'When do you open?', mention: true };
  await client.post(`/dev/platforms/${integration.id}/messages`, message, token);
  await client.post('/v1/integrations/chat_messenger', { agent_id: tutorId, bot_token: 'bad-token' }, token);
  return integration;
}

async function seedWebhooks(client: ServiceClient, token: string): Promise<{ id: string; deliveryId: string }> {
  const events = ['agent.created', 'message.created'];
  const orders = { url: 'https://hooks.example.com/agents', description: 'Orders', events };
  const { id } = await client.post('/v1/webhooks', orders, token);
  await client.post('/v1/webhooks', { url: 'https://hooks.example.com/all', events: ['conversation.created'] }, token);
  let deliveryId = '';
  for (let n = 0; n < 3; n++) deliveryId = (await client.post(`/v1/webhooks/${id}/test`, {}, token)).id;
  return { id, deliveryId };
}

async function seedEmbed(client: ServiceClient, agentId: string, token: string): Promise<{ id: string }> {
  const origin = 'http://localhost:*';
  const body = { agent_id: agentId, name: 'Library website', allowed_origins: [origin], test: true };
  const embed = await client.post('/v1/embeds', body, token);
  for (const content of ['When do you open?', 'Can I renew a book?']) {
    const visit = { embed_id: embed.id, parent_origin: 'http://localhost:3000' };
    const { visitor_token: visitor } = await client.post('/v1/embed/sessions', visit);
    await client.post('/v1/embed/messages', { content }, visitor);
  }
  return embed;
}
