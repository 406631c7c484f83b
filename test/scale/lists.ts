import { listConversations } from '../../src/conversations/conversations.ts';
import { listMessages } from '../../src/conversations/messages/messages.ts';
import { searchConversations } from '../../src/conversations/search/search.ts';
import { quantile } from '../bench/lab/statistics.ts';
import { wordBetween } from '../bench/lab/texts.ts';
import type { CheckContext } from '../seed/check-context.ts';
import { timeOf } from '../seed/measure.ts';

/** Latency of a read that a user waits for, in milliseconds. */
export interface ReadTimes {
  what: string;
  p50: number;
  p95: number;
}

const times = 40;

/** Measures lists, pages and searches of the account with the most messages and of an ordinary one. */
export async function measureReads({ db, as }: CheckContext): Promise<ReadTimes[]> {
  const results: ReadTimes[] = [];
  for (const [name, userKind, conversationKind] of [
    ['heaviest account', 'heavy user', 'heavy conversation'],
    ['account with 1,000 messages', 'talker user', 'conversation'],
  ] as const) {
    const { rows } = await db.query<{ user: string; conversation: string }>(
      `select 'usr_' || seed.uuid($1, 1) as user, 'conv_' || seed.uuid($2, 1) as conversation`,
      [userKind, conversationKind],
    );
    const { user = '', conversation = '' } = rows[0] ?? {};
    const ctx = as(user);
    const { total } = await listConversations(ctx, {});
    const middle = { offset: Math.floor((total ?? 0) / 2), limit: 1 };
    const after = (await listConversations(ctx, middle)).pageInfo.endCursor;
    const reads: [string, () => Promise<unknown>][] = [
      ['newest conversations', () => listConversations(ctx, {})],
      ['conversations from a cursor in the middle', () => listConversations(ctx, { after })],
      ['newest messages of a conversation', () => listMessages(ctx, conversation, {})],
      ['search: a frequent word', () => searchConversations(ctx, { q: wordBetween(1, 20) })],
      ['search: a rare word', () => searchConversations(ctx, { q: wordBetween(9_000, 30_000) })],
      ['search: two words', () => searchConversations(ctx, { q: `${wordBetween(1, 20)} ${wordBetween(20, 200)}` })],
    ];
    for (const [what, read] of reads) results.push({ what: `${name}: ${what}`, ...(await sample(read)) });
  }
  return results;
}

async function sample(read: () => Promise<unknown>): Promise<Pick<ReadTimes, 'p50' | 'p95'>> {
  await read();
  const runs: number[] = [];
  for (let n = 0; n < times; n++) runs.push(await timeOf(read));
  return { p50: quantile(runs, 0.5), p95: quantile(runs, 0.95) };
}
