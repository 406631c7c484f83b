import { aftermathMs } from '../visitor.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

const graphqlQuery = `query Soak {
  me { id email plan }
  agents(limit: 5) { total data { id name } }
  conversations(limit: 5) { total data { id title messageCount } }
  exploreAgents(limit: 5) { data { id name } }
}`;

/** Lists, pages and reads everything that is cheap to read, over REST, GraphQL and other routes. */
export async function browse(world: World, person: Person, agentId: string): Promise<void> {
  const as = person.token;
  await person.call('GET /models');
  await person.call('GET /agents', { as, query: { sort: 'name', limit: 3, offset: 1 } });
  await person.call('GET /agents/explore', { as, query: { sort: 'trending', q: 'ada', limit: 5 } });
  await person.call('GET /agents/:id', { as, params: { id: agentId } });
  await person.call('PUT /agents/:id', {
    as,
    params: { id: agentId },
    body: { description: `At ${Date.now()}`, is_public: true },
  });
  await person.call('GET /events', { as, query: { limit: 5 } });
  await person.call('GET /conversations', { as, query: { limit: 5, offset: 2 } });
  await person.call('GET /agents/:id', { as, params: { id: 'nonsense' }, accept: [404] });
  await person.call('GET /agents', { as, query: { limit: 0 }, accept: [400] });

  const asked = await person.attempt('POST', '/graphql', { as, body: { query: graphqlQuery } });
  if (asked && asked.response.status !== 503) {
    const text = await asked.response.text().catch(() => null);
    const answer = text === null ? null : (JSON.parse(text) as { data?: { me?: { id?: string } } });
    const mayFail = text?.includes('"UNAVAILABLE"') && world.fleet.wasDisturbed(aftermathMs);
    if (answer && !mayFail && answer.data?.me?.id !== person.id)
      world.findings.add('a GraphQL query that failed', text ?? '');
  }
  for (const path of ['/healthz', '/metrics', '/v1/openapi.json']) {
    const tried = await person.attempt('GET', path);
    await tried?.response.arrayBuffer().catch(() => undefined);
    if (tried && tried.response.status !== 200)
      world.findings.add('a page that did not return 200', `${path}: ${tried.response.status}`);
  }
}
