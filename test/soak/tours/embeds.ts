import { createAgent, type Person } from '../person.ts';
import { newQuestion } from '../send.ts';
import { Abandoned, type World } from '../world.ts';

const site = 'https://shop.example';

/** An agent on a website: the owner's routes, a visitor who writes there, and the embeddings endpoint. */
export async function embed(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Shop assistant' });
  const body = { agent_id: agentId, name: 'Shop', allowed_origins: [site] };
  const { body: made } = await person.call('POST /embeds', { as, body });
  const params = { id: made.id };
  await person.call('GET /embeds', { as });
  await person.call('PUT /embeds/:id', { as, params, body: { name: 'Shop, new' } });
  await person.call('POST /embeds/:id/rotate-secret', { as, params });
  await visit(world, person, made.id);
  await person.call('GET /embeds/:id', { as, params });
  await person.call('GET /embeds/:id/stats', { as, params });
  const { body: visitors } = await person.call('GET /embeds/:id/visitors', { as, params });
  for (const visitor of visitors.data) {
    const one = { ...params, visitor_id: visitor.id };
    await person.call('DELETE /embeds/:id/visitors/:visitor_id', { as, params: one, whenRepeated: [404] });
  }
  await person.call('DELETE /embeds/:id', { as, params, whenRepeated: [404] });
  const input = ['The tide comes in.', 'The tide goes out.'];
  const { body: vectors } = await person.call('POST /embeddings', { as, body: { input } });
  if (vectors.data.length !== input.length) world.findings.add('vectors that are missing', `${vectors.data.length}`);
  world.ledger.forgetful.add(person.id);
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
}

/** A visitor writes, reads the conversation, rates the reply and leaves. Other tests cover what visitors are refused. */
async function visit(world: World, person: Person, embedId: string): Promise<void> {
  const ask = async (method: string, path: string, as?: string, body?: object) => {
    const tried = await person.attempt(method, `/v1/embed/${path}`, {
      ...(as === undefined ? {} : { as }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await tried?.response.text().catch(tried.lost);
    if (!tried || text === undefined) throw new Abandoned();
    const { status } = tried.response;
    // A fault of an instance or of the provider ends the visit.
    if (status >= 502 && status <= 504) throw new Abandoned();
    if (status >= 400) world.findings.add('a visitor who was refused', `${method} ${path}: ${status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const session = await ask('POST', 'sessions', undefined, { embed_id: embedId, parent_origin: site });
  const token: string = session.visitor_token;
  const { content } = newQuestion();
  const sent = await ask('POST', 'messages', token, { content });
  const page = await ask('GET', 'messages?limit=10', token);
  if (!page?.data.some((message: { content: string }) => message.content === content))
    world.findings.add('a message of a visitor that is missing', embedId);
  const replyId: string | undefined = sent?.assistant_message?.id;
  if (replyId) await ask('POST', `messages/${replyId}/feedback`, token, { rating: 'up' });
  await ask('POST', 'messages/stop', token, {});
  await ask('DELETE', 'conversation', token);
}
