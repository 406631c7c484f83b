import { createAgent, type Person, register } from '../person.ts';
import { newQuestion } from '../send.ts';
import type { Visitor } from '../visitor.ts';
import { Abandoned, type World } from '../world.ts';

const burst = 340;
const inFlight = 10;
const messagesPerDay = 50;

/** Exceeds the limits of an address and of the free plan, and checks the refusals. */
export async function exceed(world: World, visitor: Visitor): Promise<void> {
  await knock(world, visitor);
  const person = await register(world);
  try {
    await fillPlan(world, person);
  } finally {
    await person.close();
  }
}

/** Sends more requests from one address in a minute than are allowed. */
async function knock(world: World, visitor: Visitor): Promise<void> {
  let left = burst;
  const knocker = async () => {
    while (left-- > 0) {
      const { status } = await visitor.call('GET /models', { accept: [429], unpaced: true });
      if (status === 429) world.tally.count('refused by rate');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, knocker));
}

/** Uses all agents and messages of the free plan, and one more of each. */
async function fillPlan(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person);
  for (let n = 1; n < 3; n++) await createAgent(person);
  const fourth = { name: 'Four', instructions: 'No.' };
  const refused = await person.call('POST /agents', { as, body: fourth, accept: [403] });
  if (refused.status !== 403) world.findings.add('a plan limit that was exceeded', 'a fourth agent');

  const { body: made } = await person.call('POST /conversations', { as, body: { agent_id: agentId } });
  const params = { conversation_id: made.id as string };
  for (let n = 1; n <= messagesPerDay + 1; n++) {
    if (world.over.aborted) return;
    const { content } = newQuestion();
    const accept = n > messagesPerDay ? [429] : [];
    const body = { content };
    const { status } = await person.call('POST /conversations/:conversation_id/messages', { as, params, body, accept });
    if (status === 201) world.ledger.sent.set(content, { conversationId: params.conversation_id });
    if (status === 201 && n > messagesPerDay) {
      world.findings.add('a plan limit that was exceeded', `message ${n} of ${person.id}`);
      throw new Abandoned();
    }
  }
  world.tally.count('plans used up');
}
