import { setTimeout as delay } from 'node:timers/promises';
import { createAgent, type Person, register, until } from '../person.ts';
import { keepExchange, newQuestion } from '../send.ts';
import type { Visitor } from '../visitor.ts';
import type { World } from '../world.ts';

/** A maker and a fan. New accounts, because the daily limits on follows, likes and shares would be used up. */
export async function mingle(world: World, visitor: Visitor): Promise<void> {
  const [maker, fan] = [await register(world, visitor), await register(world, visitor)];
  const as = maker.token;
  const body = { show_following: true, visibility: 'public' };
  await maker.call('PUT /social/profile', { as, body });
  await maker.call('GET /social/profile', { as });
  const agentId = await createAgent(maker, { name: `Find ${Date.now()}`, is_public: true });
  await admire(world, maker, fan, agentId);
  const passed = await pass(world, maker, fan, agentId);
  await part(world, maker, fan);
  // Deleting the agent deletes the conversation, but not what was charged for it.
  world.ledger.forgetful.add(maker.id);
  world.ledger.gone.add(passed);
  await maker.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
  await delay(3_000, undefined, { signal: world.over }).catch(() => undefined);
}

/** Follows the maker, likes the agent, and finds both in lists and in the feed. */
async function admire(world: World, maker: Person, fan: Person, agentId: string): Promise<void> {
  const as = fan.token;
  const params = { user_id: maker.id };
  await fan.call('PUT /social/following/:user_id', { as, params });
  await fan.call('PUT /social/likes/:agent_id', { as, params: { agent_id: agentId } });
  const { body: likes } = await fan.call('GET /social/likes', { as });
  if (likes.data[0]?.id !== agentId) world.findings.add('a like that is not listed', JSON.stringify(likes));
  const { body: feed } = await fan.call('GET /social/feed', { as, query: { limit: 5 } });
  if (feed.data[0]?.agent?.agent_id !== agentId && feed.data[0]?.agent?.id !== agentId)
    world.findings.add('a feed without a new agent', JSON.stringify(feed).slice(0, 500));
  await fan.call('GET /social/following', { as });
  await maker.call('GET /social/followers', { as: maker.token });
  const name = { username: maker.username };
  await fan.call('GET /users/:username', { as, params: name });
  for (const route of [
    'GET /users/:username/agents',
    'GET /users/:username/followers',
    'GET /users/:username/following',
  ] as const)
    await fan.call(route, { as, params: name, query: { limit: 5 } });
  await fan.call('DELETE /social/likes/:agent_id', { as, params: { agent_id: agentId } });
  await fan.call('DELETE /social/following/:user_id', { as, params });
}

/** Shares a conversation by a link, which another person reads and continues until it is revoked. Returns its id. */
async function pass(world: World, maker: Person, fan: Person, agentId: string): Promise<string> {
  const as = maker.token;
  const { body: made } = await maker.call('POST /conversations', { as, body: { agent_id: agentId } });
  const params = { conversation_id: made.id as string };
  const { content } = newQuestion();
  const sent = await maker.call('POST /conversations/:conversation_id/messages', { as, params, body: { content } });
  world.ledger.sent.set(content, { conversationId: made.id });
  keepExchange(world, sent);
  const body = { type: 'conversation', conversation_id: made.id, title: 'Worth reading' };
  const { body: share } = await maker.call('POST /social/shares', { as, body });
  const token = { token: String(share.url).split('/').at(-1) ?? '' };
  const { body: shown } = await fan.call('GET /shares/:token', { params: token });
  if (!shown.messages.some((message: { content: string }) => message.content === content))
    world.findings.add('a share that lacks a message', JSON.stringify(shown).slice(0, 500));
  const { body: copy } = await fan.call('POST /shares/:token/continue', { as: fan.token, params: token });
  if (copy.id === made.id) world.findings.add('a share that gave the conversation itself', made.id);
  await maker.call('GET /social/shares', { as });
  await maker.call('DELETE /social/shares/:id', { as, params: { id: share.id } });
  const after = await fan.call('GET /shares/:token', { params: token, accept: [404] });
  if (after.status !== 404) world.findings.add('a share that is shown after its end', share.id);
  return made.id as string;
}

/** Mutes and blocks: while the maker blocks them, the other finds no profile. */
async function part(world: World, maker: Person, fan: Person): Promise<void> {
  const [as, params] = [maker.token, { user_id: fan.id }];
  await maker.call('PUT /social/mutes/:user_id', { as, params });
  await maker.call('GET /social/mutes', { as });
  await maker.call('DELETE /social/mutes/:user_id', { as, params });
  await maker.call('PUT /social/blocks/:user_id', { as, params });
  await maker.call('GET /social/blocks', { as });
  const profile = { as: fan.token, params: { username: maker.username }, accept: [404] };
  const hidden = await fan.call('GET /users/:username', profile);
  if (hidden.status !== 404) world.findings.add('a profile that a blocked person sees', maker.id);
  await maker.call('DELETE /social/blocks/:user_id', { as, params });
  await until(world, 'a profile that is seen again', async () => {
    return (await fan.call('GET /users/:username', profile)).status === 200;
  });
}
