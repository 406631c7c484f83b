import { eventually } from '../support/eventually.ts';
import type { ServiceClient } from './service-client.ts';

/** Two people whom the account follows, with what they published and shared. Returns their tokens and the address of a link. */
export async function seedFeed(client: ServiceClient, token: string) {
  const grace = await client.signUp('hopper@example.com', 'grace.hopper');
  const alan = await client.signUp('turing@example.com', 'alan.turing');
  for (const [person, name, description] of [
    [grace, 'Compiler', 'Explains what a compiler does with your code.'],
    [alan, 'Cipher Club', 'Puzzles about codes and ciphers, from easy to hard.'],
  ] as const) {
    const { id } = await client.call('GET', '/v1/auth/me', undefined, person);
    await client.call('PUT', `/v1/social/following/${id}`, undefined, token);
    await client.post('/v1/agents', { name, description, instructions: 'Be kind.', is_public: true }, person);
  }
  const { data } = await client.call('GET', '/v1/agents', undefined, grace);
  const conversation = await client.post('/v1/conversations', { agent_id: data[0]?.id, title: 'Linking' }, grace);
  await client.post(`/v1/conversations/${conversation.id}/messages`, { content: 'What does a linker do?' }, grace);
  const named = {
    anonymous: false,
    in_feed: true,
    title: 'What a linker does',
    note: 'The shortest answer I have seen.',
  };
  const share = { type: 'conversation', conversation_id: conversation.id, ...named };
  const { url } = await client.post('/v1/social/shares', share, grace);
  return { friends: [grace, alan], shareUrl: url };
}

interface Hosts {
  token: string;
  agentIds: readonly string[];
  friends: readonly string[];
}

/** A room of the account in which two friends and two agents talk. */
export async function seedRoom(client: ServiceClient, { token, agentIds, friends }: Hosts): Promise<{ id: string }> {
  const about = { name: 'Reading group', description: 'What we read, and what we make of it.' };
  const room = await client.post('/v1/rooms', about, token);
  const path = `/v1/rooms/${room.id}`;
  for (const friend of friends) {
    const link = await client.post(`${path}/invitations`, {}, token);
    await client.post('/v1/rooms/join', { token: link.token }, friend);
  }
  for (const agent_id of agentIds) await client.post(`${path}/agents`, { agent_id }, token);
  const [grace, alan] = friends;
  const say = (content: string, by?: string) => client.post(`${path}/messages`, { content }, by);
  await say('Shall we read Flatland next?', token);
  await say('Gladly. It is short, and there is a square in it.', grace);
  await say('@Librarian when could I fetch a copy?', alan);
  await eventually(async () => {
    const { data } = await client.call('GET', `${path}/turns?limit=100`, undefined, token);
    return data.length > 0 && data.every(({ state }) => state === 'complete');
  });
  await say('Then on Saturday, before ten I will be asleep.', grace);
  return room;
}
