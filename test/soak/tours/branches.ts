import type { Person } from '../person.ts';
import { keepExchange, newQuestion, streamMessage } from '../send.ts';
import type { World } from '../world.ts';

/** Stops and regenerates a reply, edits a message, activates a branch, rates and speaks a reply, and causes a failed one. */
export async function branch(world: World, person: Person, agentId: string): Promise<void> {
  const as = person.token;
  const { body: made } = await person.call('POST /conversations', { as, body: { agent_id: agentId } });
  const conversationId: string = made.id;
  const params = { conversation_id: conversationId };

  let stop: Promise<unknown> = Promise.resolve();
  const slow = `[[slow:250]] ${newQuestion().content}`;
  await streamMessage(world, person, {
    as,
    conversationId,
    content: slow,
    onFirst: () => {
      // Its failure is checked below; until then it must not count as unhandled. A stream that was cut begins again, and
      // is stopped again: a late stop must not stop the next message.
      stop = Promise.all([stop, person.call('POST /conversations/:conversation_id/messages/stop', { as, params })]);
      stop.catch(() => undefined);
    },
  });
  await stop;

  const { content } = newQuestion();
  const sent = await person.call('POST /conversations/:conversation_id/messages', { as, params, body: { content } });
  world.ledger.sent.set(content, { conversationId });
  const first = keepExchange(world, sent);
  const again = await person.call('POST /conversations/:conversation_id/messages/:message_id/regenerate', {
    as,
    params: { ...params, message_id: first.messageId },
  });
  const second = keepExchange(world, again);
  await person.call('POST /conversations/:conversation_id/messages/:message_id/activate', {
    as,
    params: { ...params, message_id: first.messageId },
  });
  await person.call('POST /conversations/:conversation_id/messages/:message_id/feedback', {
    as,
    params: { ...params, message_id: second.messageId },
    body: { rating: Math.random() < 0.5 ? 'up' : 'down', comment: 'as it is' },
  });
  const edited = await person.call('PUT /conversations/:conversation_id/messages/:message_id', {
    as,
    params: { ...params, message_id: first.userMessageId },
    body: { content: newQuestion().content },
  });
  const last = keepExchange(world, edited);
  const speech = await person.call('POST /conversations/:conversation_id/messages/:message_id/speech', {
    as,
    params: { ...params, message_id: last.messageId },
    body: {},
  });
  if (speech.bytes.length < 1_000) world.findings.add('speech without sound', `${speech.bytes.length} bytes`);

  // Refused by the provider: refunded, and reported as message.failed.
  const refused = { content: `[[fail:500]] ${newQuestion().content}` };
  await person.call('POST /conversations/:conversation_id/messages', { as, params, body: refused, accept: [502] });
  const next = newQuestion();
  const body = { content: next.content };
  const answered = await person.call('POST /conversations/:conversation_id/messages', { as, params, body });
  world.ledger.sent.set(next.content, { conversationId });
  keepExchange(world, answered);
}
