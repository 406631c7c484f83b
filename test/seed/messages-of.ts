import { addUsers, busyAgentId, groupOf, nothing, type SeedPart, textOf, uuidOf } from './part.ts';

const messagesOfConversation = 100;

interface MessagesOptions extends Pick<SeedPart, 'name' | 'what' | 'volume'> {
  /** The kind of the users, for `addUsers`. */
  userKind: string;
  /** The kinds of the ids of conversations and of messages. */
  rowKinds: readonly [conversation: string, message: string];
  conversationsOfUser: number;
}

/** Creates a part of conversations with one agent, of a hundred messages each. */
export function messagesOf({ userKind, rowKinds, conversationsOfUser, ...part }: MessagesOptions): SeedPart {
  const [conversation, message] = rowKinds;
  const userOf = (number: string) =>
    `'usr_' || ${uuidOf(`${userKind} user`, `(${number} - 1) / ${conversationsOfUser} + 1`)}`;
  return {
    ...part,
    batchSize: 10_000,
    isIndependent: true,
    tables: ['messages', 'conversations'],
    lateIndexes: ['messages_search_idx', 'messages_active_idx', 'messages_parent_idx', 'messages_user_idx'],
    prepare: nothing,
    async write(db, from, through) {
      const conversations = [groupOf(from, messagesOfConversation), groupOf(through, messagesOfConversation)] as const;
      const [firstUser, lastUser] = conversations.map((number) => groupOf(number, conversationsOfUser));
      await addUsers(db, userKind, firstUser ?? 1, lastUser ?? 1);
      await db.query(
        `insert into conversations (id, user_id, agent_id, title, created_at, updated_at)
         select 'conv_' || ${uuidOf(conversation, 'n')}, ${userOf('n')}, $3, 'Talk ' || n, now() - n * interval '1 minute', now()
         from generate_series($1::bigint, $2::bigint) n on conflict do nothing`,
        [...conversations, busyAgentId],
      );
      await db.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, parent_id, created_at)
         select 'msg_' || ${uuidOf(message, 'n')}, 'conv_' || ${uuidOf(conversation, 'c')}, ${userOf('c')}, p,
           case when p % 2 = 0 then 'assistant' else 'user' end, ${textOf('n', 5)},
           case when p > 1 then 'msg_' || ${uuidOf(message, 'n - 1')} end, now() - (1000000 - n) * interval '1 second'
         from generate_series($1::bigint, $2::bigint) n,
           lateral (select (n - 1) / ${messagesOfConversation} + 1 as c, ((n - 1) % ${messagesOfConversation} + 1)::int as p) at
         on conflict do nothing`,
        [from, through],
      );
      await db.query(
        `update conversations c set message_count = m.count, last_position = m.count
         from (select conversation_id, count(*)::int as count from messages where conversation_id in (
           select 'conv_' || ${uuidOf(conversation, 'n')} from generate_series($1::bigint, $2::bigint) n) group by 1) m
         where c.id = m.conversation_id`,
        [...conversations],
      );
    },
  };
}
