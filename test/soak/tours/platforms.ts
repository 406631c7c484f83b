import { randomBytes, randomUUID } from 'node:crypto';
import { createAgent, type Person, until } from '../person.ts';
import type { World } from '../world.ts';

const kinds = ['chat_server', 'chat_messenger', 'chat_workspace'] as const;
export type Platform = (typeof kinds)[number];
export const platforms: readonly Platform[] = kinds;

const questions = 3;

/** Connects a bot to a simulated platform, sends messages, and checks that each gets one reply. */
export async function befriend(world: World, person: Person, kind: Platform): Promise<void> {
  const as = person.token;
  const { chats } = world.vendors;
  const agentId = await createAgent(person, { name: 'Bot' });
  const token = `${Math.floor(Math.random() * 1e9)}:${randomUUID()}`;
  const place = kind === 'chat_messenger' ? '' : `G${randomBytes(6).toString('hex')}`;
  const channel = kind === 'chat_messenger' ? '' : `C${randomBytes(6).toString('hex')}`;
  if (kind !== 'chat_messenger') chats[kind].join(token, place);
  const body = {
    agent_id: agentId,
    bot_token: token,
    ...(kind === 'chat_server' ? { guild_id: place } : {}),
    ...(kind === 'chat_workspace' ? { workspace_id: place } : {}),
    ...(channel ? { channel_ids: [channel] } : {}),
  };
  const bot = { platform: kind, bot_token: token };
  await person.call('POST /integrations/discover', { as, body: bot, accept: [429] });
  const { body: made } = await person.call(`POST /integrations/${kind}`, { as, body });
  const params = { id: made.id as string };
  await until(world, `the connection of ${kind}`, async () => world.receiver.connected.has(params.id));
  const answers = () =>
    chats[kind]
      .messages({ token, place, channelIds: [channel] })
      .filter(({ fromBot, author }) => fromBot && author !== 'robot');
  for (let n = 1; n <= questions; n++) {
    const text = `What about tides? ${randomUUID()}`;
    chats[kind].write({
      token,
      place,
      ...(channel ? { channelId: channel } : {}),
      author: 'Grace',
      text,
      mention: kind !== 'chat_messenger',
    });
    world.tally.count('platform messages');
    await until(world, `answer ${n} on ${kind} of ${params.id}`, async () => answers().length >= n);
  }
  const { body: seen } = await person.call('GET /integrations/:id', { as, params });
  if (answers().length !== questions)
    world.findings.add('a platform message with more than one reply', `${kind} ${seen.id}: ${answers().length}`);
  await person.call('POST /integrations/:id/test', { as, params });
  await person.call('GET /integrations', { as });
  await person.call('PUT /integrations/:id', { as, params, body: { auto_respond: true } });
  await person.call('PUT /integrations/:id', { as, params, body: { active: false } });
  world.ledger.forgetful.add(person.id);
  await person.call('DELETE /integrations/:id', { as, params, whenRepeated: [404] });
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
}
