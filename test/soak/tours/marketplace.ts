import { createAgent, type Person } from '../person.ts';
import type { World } from '../world.ts';

/** Publishes an agent, presents it, finds and copies it, reports it, and reads what anyone can read. */
export async function present(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: `Stall ${Date.now()}`, is_public: true });
  const params = { agent_id: agentId };
  const body = { about: 'Wares of all *kinds*.', starters: ['What is new?'], tags: ['wares'], allow_copies: true };
  await person.call('PUT /agents/:agent_id/listing', { as, params, body });
  const own = await person.call('GET /agents/:agent_id/listing', { as, params });
  if (own.body.status !== 'listed') world.findings.add('a public agent that is not listed', JSON.stringify(own.body));
  const found = await person.call('GET /marketplace/agents/:id', { params: { id: own.body.slug } });
  if (found.body.agent_id !== agentId) world.findings.add('a slug of another agent', String(own.body.slug));
  await person.call('GET /marketplace', { query: { q: 'stall', limit: 5 } });
  await person.call('GET /marketplace', { query: { sort: 'recent', tag: 'wares', limit: 5 } });
  await person.call('GET /marketplace/home');
  await person.call('GET /marketplace/agents/:agent_id/reviews', { params });
  // An own agent cannot be reviewed.
  await person.call('PUT /marketplace/agents/:agent_id/review', { as, params, body: { rating: 5 }, accept: [403] });
  await person.call('DELETE /marketplace/agents/:agent_id/review', { as, params });
  await person.call('PUT /marketplace/reviews/:id/reply', {
    as,
    params: { id: 'rev_none' },
    body: { text: 'Hm.' },
    accept: [404],
  });
  const copy = await person.call('POST /agents/:agent_id/copy', { as, params });
  const report = { subject_type: 'agent', subject_id: agentId, reason: 'spam' };
  await person.call('POST /reports', { as, body: report, accept: [429], whenRepeated: [200] });
  await person.call('GET /reports', { as });
  await person.call('GET /moderation/decisions', { as });
  await person.call('POST /moderation/decisions/:id/appeal', {
    as,
    params: { id: 'dec_none' },
    body: { text: 'No.' },
    accept: [404],
  });
  for (const route of ['GET /moderation/cases', 'GET /moderation/cases/:subject_type/:subject_id'] as const)
    await person.call(route, { as, params: { subject_type: 'agent', subject_id: agentId }, accept: [404] });
  await person.call('POST /moderation/decisions', {
    as,
    body: { ...report, action: 'none', statement: 'No.' },
    accept: [404],
  });
  for (const route of ['PUT /moderation/featured/:agent_id', 'DELETE /moderation/featured/:agent_id'] as const)
    await person.call(route, { as, params, accept: [404] });
  for (const id of [agentId, copy.body.id as string])
    await person.call('DELETE /agents/:id', { as, params: { id }, whenRepeated: [404] });
}
