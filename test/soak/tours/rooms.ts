import { readEvents } from '../../support/client.ts';
import { createAgent, type Person, until } from '../person.ts';
import { newQuestion } from '../send.ts';
import { Abandoned, type World } from '../world.ts';

/** Two people and an agent meet in a room: invitations, messages, replies, and the end of the room. */
export async function gather(world: World, person: Person, guest: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Ada' });
  const { body: room } = await person.call('POST /rooms', { as, body: { name: 'Kitchen' } });
  const id: string = room.id;
  await person.call('PUT /rooms/:id', { as, params: { id }, body: { description: 'Where all meet.' } });
  await person.call('GET /rooms', { as, query: { limit: 5 } });
  await bringIn(person, guest, id);
  await bringAgent(person, id, agentId);
  await converse(world, person, guest, { id, agentId });
  const agent = { room_id: id, agent_id: agentId };
  await person.call('DELETE /rooms/:room_id/agents/:agent_id', { as, params: agent, whenRepeated: [404] });
  await person.call('POST /rooms/:id/transfer', { as, params: { id }, body: { user_id: guest.id } });
  await person.call('DELETE /rooms/:id/transfer', { as, params: { id }, whenRepeated: [409] });
  await person.call('POST /rooms/:id/transfer', { as, params: { id }, body: { user_id: guest.id } });
  await guest.call('POST /rooms/:id/transfer/accept', { as: guest.token, params: { id }, whenRepeated: [409] });
  const { body: seen } = await person.call('GET /rooms/:id', { as, params: { id } });
  if (seen.owner_id !== guest.id) world.findings.add('a room that was not handed over', JSON.stringify(seen));
  // Deleting the room deletes its turns, but not what was charged for them.
  for (const { id: payer } of [person, guest]) world.ledger.forgetful.add(payer);
  await guest.call('DELETE /rooms/:id', { as: guest.token, params: { id }, whenRepeated: [404] });
  const after = await person.call('GET /rooms/:id', { as, params: { id }, accept: [404] });
  if (after.status !== 404) world.findings.add('a room that is read after its deletion', id);
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
}

/** Invites the guest by name, who declines, then joins and leaves; then invites them by link. */
async function bringIn(person: Person, guest: Person, id: string): Promise<void> {
  const as = person.token;
  const [params, toRoom] = [{ room_id: id }, { id }];
  const body = { username: guest.username };
  await person.call('POST /rooms/:room_id/members', { as, params, body });
  await guest.call('POST /rooms/:id/decline', { as: guest.token, params: toRoom });
  await person.call('POST /rooms/:room_id/members', { as, params, body });
  await guest.call('POST /rooms/:id/join', { as: guest.token, params: toRoom });
  const member = { room_id: id, user_id: guest.id };
  await guest.call('DELETE /rooms/:room_id/members/:user_id', {
    as: guest.token,
    params: member,
    whenRepeated: [404],
  });
  const { body: link } = await person.call('POST /rooms/:room_id/invitations', { as, params, body: { max_uses: 1 } });
  await person.call('GET /rooms/:room_id/invitations', { as, params });
  await guest.call('POST /rooms/join', { as: guest.token, body: { token: link.token } });
  const invitation = { room_id: id, invitation_id: link.id };
  await person.call('DELETE /rooms/:room_id/invitations/:invitation_id', {
    as,
    params: invitation,
    whenRepeated: [404],
  });
  await person.call('PUT /rooms/:room_id/members/:user_id', { as, params: member, body: { role: 'moderator' } });
  await person.call('GET /rooms/:room_id/members', { as, params });
}

async function bringAgent(person: Person, id: string, agentId: string): Promise<void> {
  const as = person.token;
  await person.call('POST /rooms/:room_id/agents', { as, params: { room_id: id }, body: { agent_id: agentId } });
  const params = { room_id: id, agent_id: agentId };
  await person.call('PUT /rooms/:room_id/agents/:agent_id', { as, params, body: { muted: false } });
}

/** The guest addresses the agent; its owner requests a reply and stops it. Both read the messages. */
async function converse(
  world: World,
  person: Person,
  guest: Person,
  { id, agentId }: { id: string; agentId: string },
): Promise<void> {
  const as = person.token;
  const params = { room_id: id };
  const content = `@Ada ${newQuestion().content}`;
  const { body: posted } = await guest.call('POST /rooms/:room_id/messages', {
    as: guest.token,
    params,
    body: { content },
  });
  if (posted.turns.length !== 1) world.findings.add('a mention that no agent answers', JSON.stringify(posted));
  await readStream(world, guest, id, posted.message.id);
  await settle(world, guest, id);
  const { body: asked } = await person.call('POST /rooms/:room_id/turns', { as, params, body: { agent_id: agentId } });
  await person.call('POST /rooms/:room_id/turns/:turn_id/stop', { as, params: { ...params, turn_id: asked.id } });
  await person.call('POST /rooms/:room_id/stop', { as, params });
  await settle(world, person, id);
  const { body: page } = await person.call('GET /rooms/:room_id/messages', { as, params, query: { limit: 50 } });
  if (!page.data.some((message: { content: string }) => message.content === content))
    world.findings.add('a message of a room that is missing', `${id}: ${content}`);
  const { position } = page.data[0];
  const { body: read } = await person.call('PUT /rooms/:room_id/read', { as, params, body: { position } });
  if (read.unread_count !== 0) world.findings.add('a room that is unread after reading', JSON.stringify(read));
  const message = { ...params, message_id: posted.message.id };
  await person.call('DELETE /rooms/:room_id/messages/:message_id', { as, params: message, whenRepeated: [404] });
}

/** Waits until no turn of the room is queued or running. */
async function settle(world: World, person: Person, id: string): Promise<void> {
  await until(world, 'the end of a turn of a room', async () => {
    const { body } = await person.call('GET /rooms/:room_id/turns', { as: person.token, params: { room_id: id } });
    return body.data.every(({ state }: { state: string }) => state !== 'queued' && state !== 'running');
  });
}

const streamRoute = 'GET /rooms/:id/events';

/** Reads the stream of a room from its beginning until a message comes. */
async function readStream(world: World, person: Person, id: string, messageId: string): Promise<void> {
  const headers = { 'last-event-id': '0' };
  const tried = await person.attempt('GET', `/v1/rooms/${id}/events`, { as: person.token, headers });
  if (!tried) throw new Abandoned();
  const { response, lost } = tried;
  const fault = world.contract.fault(streamRoute, { status: response.status, headers: response.headers, body: '' });
  if (fault) world.findings.add('a stream that the contract does not allow', `${streamRoute}: ${fault}`);
  try {
    for await (const { event, data } of readEvents(response))
      if (event === 'message.created' && data.id === messageId) return;
  } catch (error) {
    lost(error);
  }
  if (!world.fleet.wasDisturbed(40_000)) world.findings.add('a stream of a room that lacks a message', messageId);
}
