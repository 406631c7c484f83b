import { exploreAgents } from '../../src/agents/explore.ts';
import { listAgents } from '../../src/agents/agents.ts';
import { listConversations } from '../../src/conversations/conversations.ts';
import { listMessages } from '../../src/conversations/messages/messages.ts';
import { searchConversations } from '../../src/conversations/search/search.ts';
import { listDocuments } from '../../src/knowledge/documents.ts';
import { questionOf } from '../../src/knowledge/retrieval/question.ts';
import { planTextSearch, searchText } from '../../src/knowledge/retrieval/text-search.ts';
import { listDeliveries } from '../../src/webhooks/deliveries/deliveries.ts';
import { getWebhookStats } from '../../src/webhooks/deliveries/webhook-stats.ts';
import { listWebhooks } from '../../src/webhooks/webhooks.ts';
import { wordBetween } from '../bench/lab/texts.ts';
import type { CheckContext } from './check-context.ts';
import { type Check, timeOf } from './measure.ts';
import { busyWebhookId, ownerId, readerAgentId } from './part.ts';

/** Reads that a user waits for: lists, counts and searches. */
export async function listChecks({ db, as }: CheckContext): Promise<Check[]> {
  const first = async (kind: string): Promise<string> =>
    `usr_${(await db.query<{ id: string }>('select seed.uuid($1, 1) as id', [`${kind} user`])).rows[0]?.id}`;
  const [maker, hooks, talker] = [await first('maker'), await first('hook'), await first('talker')];
  const conversationId = `conv_${(await db.query<{ id: string }>(`select seed.uuid('conversation', 1) as id`)).rows[0]?.id}`;

  const explore = (what: string, input: object): Check => ({
    id: 'G6',
    what: `explore: ${what}`,
    boundMs: 100,
    run: () => timeOf(() => exploreAgents(as(maker), input)),
  });
  const list = (id: string, what: string, read: () => Promise<unknown>, boundMs = 50): Check => ({
    id,
    what,
    boundMs,
    run: () => timeOf(read),
  });
  const deliveries = (what: string, input: object): Check =>
    list('W4', `deliveries: ${what}`, () => listDeliveries(as(ownerId), busyWebhookId, input), 100);

  return [
    ...['popular', 'trending', 'recent'].map((sort) => explore(sort, { sort })),
    explore('a category', { category: 'tutor' }),
    explore('offset 1,000', { offset: 1_000 }),
    explore('two letters that nothing has', { q: 'zz' }),
    explore('two letters that many have', { q: 'ba' }),
    explore('one letter', { q: 'b' }),
    explore('punctuation', { q: '!?' }),
    explore('one sign', { q: '%' }),
    explore('three signs', { q: '...' }),
    explore('a letter and a sign', { q: 'z!' }),
    explore('a frequent word', { q: wordBetween(1, 5) }),
    explore('a rare word, newest first', { q: wordBetween(20_000, 30_000), sort: 'recent' }),
    explore('no hit', { q: 'xylophonist' }),
    explore('three frequent letters, trending', { q: 'ing', sort: 'trending' }),
    explore('20 words', { q: Array.from({ length: 20 }, () => wordBetween(1, 100)).join(' ') }),
    list('G1', 'own agents', () => listAgents(as(maker), {})),
    list('G1', 'own conversations', () => listConversations(as(talker), {})),
    list('G1', 'messages of a conversation', () => listMessages(as(talker), conversationId, {})),
    ...['a frequent word', 'a rare word'].map((what, n) =>
      list('R9', `search: ${what}`, () =>
        searchConversations(as(talker), { q: n === 0 ? wordBetween(1, 20) : wordBetween(9_000, 30_000) }),
      ),
    ),
    list('W3', 'webhooks of an account', () => listWebhooks(as(hooks))),
    deliveries('newest', {}),
    deliveries('failed', { status: 'failed' }),
    deliveries('a status that none has', { status: 'skipped' }),
    deliveries('an event type that none has', { eventType: 'agent.deleted' }),
    list('W4', 'statistics of a webhook', () => getWebhookStats(as(ownerId), busyWebhookId)),
    list('G5', 'documents of an agent', () => listDocuments(as(ownerId), readerAgentId, {})),
    list(
      'G5',
      'knowledge: text search',
      async () => {
        const ctx = as(ownerId);
        const question = `${wordBetween(1, 20)} ${wordBetween(200, 2_000)} ${wordBetween(9_000, 30_000)}`;
        await searchText(ctx, await planTextSearch(ctx, readerAgentId, questionOf(question)), 50);
      },
      250,
    ),
  ];
}
