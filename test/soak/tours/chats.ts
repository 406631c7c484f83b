import { randomUUID } from 'node:crypto';
import { readEvents } from '../../support/client.ts';
import { hashOf } from '../ledger.ts';
import type { Person } from '../person.ts';
import { keepExchange, newQuestion, streamMessage } from '../send.ts';
import { Abandoned, type World } from '../world.ts';

/** Talks with an agent, streamed and not, reads and searches the conversation, and sometimes deletes it. */
export async function chat(world: World, person: Person, agentId: string): Promise<void> {
  const as = person.token;
  const { body: made } = await person.call('POST /conversations', { as, body: { agent_id: agentId } });
  const conversationId: string = made.id;
  const params = { conversation_id: conversationId };

  for (let turn = 0; turn < 3; turn++) {
    const { content } = newQuestion();
    // Identified by a key or by its text alone, as clients do.
    const key = turn % 2 === 0 ? { key: randomUUID() } : {};
    const reply = await streamMessage(world, person, { as, conversationId, content, ...key });
    if (turn === 0) await readAgain(world, person, reply);
  }
  const { content, word } = newQuestion();
  const answer = await person.call('POST /conversations/:conversation_id/messages', { as, params, body: { content } });
  world.ledger.sent.set(content, { conversationId });
  keepExchange(world, answer);

  const page = await person.call('GET /conversations/:conversation_id/messages', { as, params, query: { limit: 4 } });
  const before: string = page.body.data.at(-1).id;
  await person.call('GET /conversations/:conversation_id/messages', { as, params, query: { before, limit: 50 } });
  const { body: whole } = await person.call('GET /conversations/:id', { as, params: { id: conversationId } });
  if (whole.messages.length !== whole.message_count || whole.message_count < 9)
    world.findings.add(
      'a conversation with missing messages',
      `${conversationId}: ${whole.messages.length} of ${whole.message_count}`,
    );
  const found = await person.call('GET /conversations/search', { as, query: { q: word } });
  if (found.body.data[0]?.conversation.id !== conversationId)
    world.findings.add('a message that search does not find', `${conversationId}: ${word}`);
  await person.call('PATCH /conversations/:id', {
    as,
    params: { id: conversationId },
    body: { title: `About ${word}` },
  });
  await person.call('GET /conversations', { as, query: { agent_id: agentId, limit: 10 } });
  const format = Math.random() < 0.5 ? 'markdown' : 'json';
  await person.call('GET /conversations/:conversation_id/export', { as, params, query: { format } });

  if (Math.random() < 0.4) await deleteConversation(world, person, conversationId);
}

async function deleteConversation(world: World, person: Person, id: string): Promise<void> {
  world.ledger.forgetful.add(person.id);
  await person.call('DELETE /conversations/:id', { as: person.token, params: { id }, whenRepeated: [404] });
  world.ledger.gone.add(id);
}

interface Read {
  conversationId: string;
  generationId: string;
  text: string;
}

const generationRoute = 'GET /conversations/:conversation_id/generations/:generation_id/stream';

/** Checks that a resumed reader gets the rest, without repetitions or gaps. */
async function readAgain(world: World, person: Person, { conversationId, generationId, text }: Read): Promise<void> {
  const path = `/v1/conversations/${conversationId}/generations/${generationId}/stream`;
  const from = Math.floor(text.length / 2);
  for (let left = 20; left > 0; left--) {
    const headers = { 'last-event-id': `${generationId}:${from}` };
    const tried = await person.attempt('GET', path, { as: person.token, headers });
    if (!tried || (tried.response.status === 503 && world.fleet.wasDisturbed(20_000))) continue;
    const { status, headers: given } = tried.response;
    const fault = world.contract.fault(generationRoute, { status, headers: given, body: '' });
    if (fault || status !== 200) {
      world.findings.add('a response that the contract does not allow', `${generationRoute}: ${status} ${fault}`);
      throw new Abandoned();
    }
    try {
      let rest = '';
      for await (const { event, data } of readEvents(tried.response)) if (event === 'delta') rest += data.content;
      if (hashOf(rest) !== hashOf(text.slice(from)))
        world.findings.add(
          'a resumed stream with repetitions or gaps',
          `${generationId}: ${rest.length} of ${text.length - from}`,
        );
      return;
    } catch (error) {
      tried.lost(error);
    }
  }
}
