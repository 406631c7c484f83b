import { seed } from './lab/seed.ts';
import { median, quartiles } from './lab/statistics.ts';
import { timeStream } from './lab/streams.ts';
import type { BenchRow } from './row.ts';

const site = 'https://shop.example';
const limits = { per_day: 1_000_000, per_visitor_day: 1_000_000, per_address_hour: 1_000_000 };

/** Cost of a visitor of an embed, compared with a user of the API with conversations of the same length. */
export const rows: BenchRow[] = [
  {
    name: 'P31',
    title: 'an embed beside the API',
    measure: async (bench) => {
      const people = bench.isQuick ? 10 : 40;
      const messages = bench.isQuick ? 150 : 1_000;
      const seeded = await seed(bench);
      const [agentId = ''] = await seeded.addAgents(1, { isPublic: true });
      const conversations = await seeded.addConversations(agentId, people);
      const upstream = await bench.startFloor('upstream.ts', { DELTAS: '1', FIRST_DELTA_MS: '0', DELTA_MS: '0' });
      const service = await bench.startService({
        databaseUrl: seeded.databaseUrl,
        env: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` },
      });
      const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
        timed(`${service.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        });
      const { answer: embed } = await call('POST', '/v1/embeds', seeded.headers, {
        agent_id: agentId,
        name: 'Bench',
        allowed_origins: [site],
        limits,
      });
      const startSession = (token?: string) =>
        call('POST', '/v1/embed/sessions', {}, { embed_id: embed.id, parent_origin: site, visitor_token: token });
      const tokens: string[] = [];
      while (tokens.length < people) tokens.push((await startSession()).answer.visitor_token);

      const at = (all: readonly string[], n: number): string => all[n % people] ?? '';
      const say = async (path: string, headers: Record<string, string>, body: object): Promise<number> => {
        const { wholeMs } = await timeStream({ url: `${service.url}${path}`, headers, body, mark: ' word' });
        return wholeMs;
      };
      const content = 'What do you think about this?';
      const kinds = {
        user: (n: number) =>
          say(`/v1/conversations/${at(conversations, n)}/messages`, seeded.headers, { content, stream: true }),
        visitor: (n: number) =>
          say('/v1/embed/messages/stream', { authorization: `Bearer ${at(tokens, n)}` }, { content }),
        conversation: async (n: number) =>
          (await call('GET', `/v1/conversations/${at(conversations, n)}`, seeded.headers)).ms,
        session: async (n: number) => (await startSession(at(tokens, n))).ms,
      };
      const [user, visitor] = await alternate(kinds.user, kinds.visitor, people * 3, messages);
      const [conversation, session] = await alternate(kinds.conversation, kinds.session, people * 3, messages);
      for (const process of [service, upstream]) await process.stop();
      return [
        { what: 'a message, of POST messages', value: ratio(visitor, user), unit: '×', goal: { atMost: 1.15 } },
        { what: 'a message', value: median(visitor), unit: 'ms', quartiles: quartiles(visitor) },
        {
          what: 'a session, of GET a conversation',
          value: ratio(session, conversation),
          unit: '×',
          goal: { atMost: 2 },
        },
        { what: 'a session', value: median(session), unit: 'ms', quartiles: quartiles(session) },
      ];
    },
  },
];

type Kind = (n: number) => Promise<number>;

/** Times two operations alternately, after `warmUps` of each. */
async function alternate(a: Kind, b: Kind, warmUps: number, count: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let n = -warmUps; n < count; n++) {
    for (const which of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const ms = await (which === 0 ? a : b)(n + warmUps);
      if (n >= 0) times[which].push(ms);
    }
  }
  return times;
}

const ratio = (subject: number[], baseline: number[]): number => median(subject) / median(baseline);

async function timed(url: string, init: RequestInit) {
  const startedAt = performance.now();
  const response = await fetch(url, init);
  const answer = await response.json();
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return { ms, answer };
}
