import type { TestApp } from './app.ts';
import { type Account, type Answer, expectStatus } from './client.ts';
import { eventually } from './eventually.ts';

export interface TestRoom {
  id: string;
  /** The owner first. */
  people: Account[];
  agents: { id: string; name: string }[];
  post(by: Account, content: string, fields?: object): Promise<Posted>;
}

export interface TestTurn {
  id: string;
  agent_id: string;
  state: string;
  hop: number;
  message_id: string | null;
  root_message_id: string | null;
  error?: { code: string; message: string };
}

export interface Posted {
  message: { id: string; position: number; mentions: { kind: string; id: string }[]; reply_to: string | null };
  turns: TestTurn[];
}

interface RoomOptions {
  /** People beside the owner. */
  people?: number;
  /** Names of public agents of the owner. */
  agents?: readonly string[];
  settings?: object;
}

/** Creates a room of a new account on the largest plan, with people and agents. */
export async function createRoom(app: TestApp, options: RoomOptions = {}): Promise<TestRoom> {
  const { people: others = 0, agents: names = [], settings = {} } = options;
  const owner = await app.signUp({ plan: 'creator' });
  const as = owner.token;
  const body = { name: 'Kitchen', ...settings };
  const { id } = expectStatus(await app.call('POST', '/v1/rooms', { as, body }), 201).body;
  const people = [owner];
  for (let i = 0; i < others; i++) people.push(await addPerson(app, id, owner));
  const agents: { id: string; name: string }[] = [];
  for (const name of names) agents.push(await addAgent(app, id, owner, name));
  const post = async (by: Account, content: string, fields: object = {}) =>
    expectStatus(await postMessage(app, id, by, content, fields), 201).body as Posted;
  return { id, people, agents, post };
}

export const postMessage = (
  app: TestApp,
  id: string,
  by: Account,
  content: string,
  fields: object = {},
): Promise<Answer> => app.call('POST', `/v1/rooms/${id}/messages`, { as: by.token, body: { content, ...fields } });

/** Signs up an account that joins a room by a link from `by`, who must moderate the room. */
export async function addPerson(app: TestApp, id: string, by: Account): Promise<Account> {
  const person = await app.signUp({ plan: 'creator' });
  const link = expectStatus(await app.call('POST', `/v1/rooms/${id}/invitations`, { as: by.token, body: {} }), 201);
  const body = { token: link.body.token };
  expectStatus(await app.call('POST', '/v1/rooms/join', { as: person.token, body }), 200);
  return person;
}

export async function addAgent(
  app: TestApp,
  id: string,
  by: Account,
  name: string,
): Promise<{ id: string; name: string }> {
  const agent = await app.createAgent(by.token, { name, instructions: `You are ${name}.`, is_public: true });
  const body = { agent_id: agent.id };
  expectStatus(await app.call('POST', `/v1/rooms/${id}/agents`, { as: by.token, body }), 201);
  return { id: agent.id, name };
}

/** Waits until no turn of a room is queued or running, and returns all, oldest first. */
export const settledTurns = (app: TestApp, id: string, by: Account): Promise<TestTurn[]> =>
  eventually(async () => {
    const listed = await app.call('GET', `/v1/rooms/${id}/turns?limit=100`, { as: by.token });
    const turns = expectStatus(listed, 200).body.data as TestTurn[];
    return turns.every(({ state }) => state !== 'queued' && state !== 'running') ? turns.toReversed() : null;
  });

/** Returns the messages of a room, oldest first. */
export async function messagesOf(app: TestApp, id: string, by: Account) {
  const listed = await app.call('GET', `/v1/rooms/${id}/messages?limit=100`, { as: by.token });
  return (expectStatus(listed, 200).body.data as RoomMessage[]).toReversed();
}

export interface RoomMessage {
  id: string;
  position: number;
  author: { kind: string; id: string | null; name: string; avatar_url: string | null };
  content: string;
  reply_to: string | null;
  deleted: boolean;
  blocked: boolean;
  turn_id: string | null;
}

/** Returns a matcher of model requests for a reply as the named agent. */
export const asAgent =
  (name: string) =>
  (body: Record<string, unknown>): boolean =>
    JSON.stringify((body['messages'] as { content: string }[] | undefined)?.[0]?.content ?? '').includes(
      `Answer as ${name},`,
    );
