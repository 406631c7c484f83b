import { openSocket, subscribe } from '../../support/socket.ts';
import { createAgent, type Person } from '../person.ts';
import { keepExchange, newQuestion } from '../send.ts';
import { aftermathMs } from '../visitor.ts';
import { Abandoned, type World } from '../world.ts';

const patienceMs = 75_000;

/** Follows a conversation over a socket on one instance while a message is sent on any. */
export async function follow(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Followed' });
  const { body: made } = await person.call('POST /conversations', { as, body: { agent_id: agentId } });
  const conversationId: string = made.id;
  const instance = await world.fleet.pick();
  const { life } = instance;
  // A connection ends with its instance, and is not accepted without a database; nothing else explains a missing frame.
  const lost = (error: unknown): never => {
    const isRefused = (error as Error).message.startsWith('unavailable') && world.fleet.wasDisturbed(aftermathMs);
    if (!isRefused && !world.fleet.isExcused(instance, life))
      world.findings.add('a socket that was lost without a fault', `${instance.name}: ${String(error)}`);
    throw new Abandoned();
  };
  const socket = await openSocket(instance.url, as).catch(lost);
  const timer = setTimeout(() => socket.close(), patienceMs);
  try {
    await subscribe(socket, '1', `conversation:${conversationId}`).catch(lost);
    const { content } = newQuestion();
    const params = { conversation_id: conversationId };
    const sent = await person.call('POST /conversations/:conversation_id/messages', { as, params, body: { content } });
    world.ledger.sent.set(content, { conversationId });
    keepExchange(world, sent);
    const done = await socket.take({ op: 'event', type: 'reply.done' }).catch(lost);
    const { message_id: messageId } = done.data ?? {};
    if (messageId !== sent.body.assistant_message.id)
      world.findings.add('a socket that reported another reply', `${conversationId}: ${String(messageId)}`);
    world.tally.count('replies followed over a socket');
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
