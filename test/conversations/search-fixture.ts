import { searchConversations, type SearchPage } from '../../src/conversations/search.ts';
import type { UserActor } from '../../src/core/actor.ts';
import { newId } from '../../src/core/ids.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import type { House } from '../support/house.ts';
import { expect } from 'vitest';

/** Somebody with an agent of his own. */
export async function createPerson(house: House, userId = newId('user')) {
  await addUser(house, userId);
  const agentId = await addAgent(house, userId);
  const actor: UserActor = {
    kind: 'user',
    userId,
    plan: 'free',
    scopes: [],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  };
  const ctx = () => ({ ...house.newCtx(), actor });
  let minute = 0;

  /** A conversation with these messages, each a minute newer than all before. */
  async function converse(messages: readonly string[], title: string | null = null): Promise<string> {
    const id = newId('conversation');
    await house.query(
      `insert into conversations (id, user_id, agent_id, title, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [id, userId, agentId, title],
    );
    for (const [position, content] of messages.entries())
      await house.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, created_at) values ($1, $2, $3, $4, 'user', $5, $6)`,
        [newId('message'), id, userId, position, content, new Date(Date.UTC(2026, 0, 1, 0, minute++))],
      );
    return id;
  }

  const search = (q: string, limit?: number): Promise<SearchPage> => searchConversations(ctx(), { q, limit });
  const find = async (q: string): Promise<string[]> => (await search(q)).data.map(({ message }) => message.content);
  return { userId, ctx, converse, search, find };
}

/** The one result of a page that must have one. */
export const only = (page: SearchPage) => {
  expect(page.data).toHaveLength(1);
  return page.data[0] as SearchPage['data'][number];
};
