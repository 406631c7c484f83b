import { searchConversations, type SearchPage } from '../../src/conversations/search/search.ts';
import type { UserActor } from '../../src/core/actor.ts';
import { newId } from '../../src/core/ids.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import type { Harness } from '../support/harness.ts';
import { expect } from 'vitest';

/** A user with an agent. */
export async function createPerson(harness: Harness, userId = newId('usr_')) {
  await addUser(harness, userId);
  const agentId = await addAgent(harness, userId);
  const actor: UserActor = {
    kind: 'user',
    userId,
    plan: 'free',
    scopes: [],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  };
  const ctx = () => ({ ...harness.newCtx(), actor });
  let minute = 0;

  /** A conversation with these messages, each a minute newer than all before. */
  async function converse(messages: readonly string[], title: string | null = null): Promise<string> {
    const id = newId('conv_');
    await harness.query(
      `insert into conversations (id, user_id, agent_id, title, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [id, userId, agentId, title],
    );
    for (const [position, content] of messages.entries())
      await harness.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, created_at) values ($1, $2, $3, $4, 'user', $5, $6)`,
        [newId('msg_'), id, userId, position, content, new Date(Date.UTC(2026, 0, 1, 0, minute++))],
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
