import { createAgent, type Person, register } from '../person.ts';
import { keepExchange, newQuestion } from '../send.ts';
import type { Visitor } from '../visitor.ts';
import type { World } from '../world.ts';

const minMessages = 5;

/** One account lists an agent, another uses, reviews and reports it. New accounts, because reports are rate-limited. */
export async function present(world: World, visitor: Visitor): Promise<void> {
  const [maker, customer] = [await register(world, visitor), await register(world, visitor)];
  const as = maker.token;
  const agentId = await createAgent(maker, { name: `Stall ${Date.now()}`, is_public: true });
  await publish(world, maker, agentId);
  const used = await review(world, maker, customer, agentId);
  await judge(world, maker, customer, agentId);
  const params = { agent_id: agentId };
  const copy = await maker.call('POST /agents/:agent_id/copy', { as, params });
  // Deleting the agent deletes the conversation, but not what was charged for it.
  world.ledger.forgetful.add(customer.id);
  world.ledger.gone.add(used);
  for (const id of [agentId, copy.body.id as string])
    await maker.call('DELETE /agents/:id', { as, params: { id }, whenRepeated: [404] });
}

/** Lists an agent in the marketplace, and finds it without an account. */
async function publish(world: World, maker: Person, agentId: string): Promise<void> {
  const as = maker.token;
  const params = { agent_id: agentId };
  const body = { about: 'Wares of all *kinds*.', starters: ['What is new?'], tags: ['wares'], allow_copies: true };
  await maker.call('PUT /agents/:agent_id/listing', { as, params, body });
  const own = await maker.call('GET /agents/:agent_id/listing', { as, params });
  if (own.body.status !== 'listed') world.findings.add('a public agent that is not listed', JSON.stringify(own.body));
  const found = await maker.call('GET /marketplace/agents/:id', { params: { id: own.body.slug } });
  if (found.body.agent_id !== agentId) world.findings.add('a slug of another agent', String(own.body.slug));
  await maker.call('GET /marketplace', { query: { q: 'stall', limit: 5 } });
  await maker.call('GET /marketplace', { query: { sort: 'recent', tag: 'wares', limit: 5 } });
  await maker.call('GET /marketplace/home');
}

/** Chats as much as a review requires, reviews the agent, and reads the maker's reply. Returns the conversation's id. */
async function review(world: World, maker: Person, customer: Person, agentId: string): Promise<string> {
  const as = customer.token;
  const params = { agent_id: agentId };
  const { body: made } = await customer.call('POST /conversations', { as, body: params });
  for (let i = 0; i < minMessages; i++) {
    const { content } = newQuestion();
    const sent = await customer.call('POST /conversations/:conversation_id/messages', {
      as,
      params: { conversation_id: made.id },
      body: { content },
    });
    world.ledger.sent.set(content, { conversationId: made.id });
    keepExchange(world, sent);
  }
  const body = { rating: 4, text: 'Helpful.' };
  const { body: written } = await customer.call('PUT /marketplace/agents/:agent_id/review', { as, params, body });
  const reply = { as: maker.token, params: { id: written.id as string }, body: { text: 'Thank you.' } };
  await maker.call('PUT /marketplace/reviews/:id/reply', reply);
  const { body: reviews } = await customer.call('GET /marketplace/agents/:agent_id/reviews', { params });
  if (!JSON.stringify(reviews).includes('Thank you.'))
    world.findings.add('a review without its reply', JSON.stringify(reviews).slice(0, 500));
  await customer.call('DELETE /marketplace/agents/:agent_id/review', { as, params });
  return made.id as string;
}

/** A moderator acts on a report: the agent is removed, its maker appeals, and it is restored and briefly featured. */
async function judge(world: World, maker: Person, customer: Person, agentId: string): Promise<void> {
  const as = world.moderatorToken;
  const subject = { subject_type: 'agent', subject_id: agentId };
  const listing = { params: { id: agentId }, accept: [404] };
  const report = { ...subject, reason: 'spam' };
  await customer.call('POST /reports', { as: customer.token, body: report, whenRepeated: [200] });
  await customer.call('GET /reports', { as: customer.token });
  await customer.call('GET /moderation/cases', { as });
  await customer.call('GET /moderation/cases/:subject_type/:subject_id', { as, params: subject });
  const picture = { as, params: subject, accept: [404] };
  await customer.call('GET /moderation/cases/:subject_type/:subject_id/picture', picture);
  const decide = (action: string, statement: string) =>
    customer.call('POST /moderation/decisions', { as, body: { ...report, action, statement } });
  await decide('remove', 'It only advertises.');
  const removed = await customer.call('GET /marketplace/agents/:id', listing);
  if (removed.status !== 404) world.findings.add('a listing that is shown after its removal', agentId);
  const { body: decisions } = await maker.call('GET /moderation/decisions', { as: maker.token });
  const appeal = { as: maker.token, params: { id: decisions.data[0].id as string }, body: { text: 'It does not.' } };
  await maker.call('POST /moderation/decisions/:id/appeal', { ...appeal, whenRepeated: [409] });
  await decide('restore', 'It does not.');
  const restored = await customer.call('GET /marketplace/agents/:id', listing);
  if (restored.status !== 200) world.findings.add('a restored listing that is not shown', agentId);
  for (const route of ['PUT /moderation/featured/:agent_id', 'DELETE /moderation/featured/:agent_id'] as const)
    await customer.call(route, { as, params: { agent_id: agentId } });
}
