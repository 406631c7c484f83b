import { afterAll, beforeAll, beforeEach } from 'vitest';
import { aggregateStudioNotes } from '../../src/studio/analytics/aggregate-notes.ts';
import { judgeExperiments } from '../../src/studio/experiments/judge-experiments.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';

/** Moves the business time of the apps. */
export const clock = createTestClock();
export const hourMs = 3_600_000;

interface Lab {
  app: TestApp;
  /** Holds a key, which outlives the days that the clock is moved; so does `bob`. */
  ada: Account;
  bob: Account;
  /** An access token of the account that signed up last. */
  session: string;
}

/** Created for each test, except the app. */
export const lab = {} as Lab;

const scopes = ['agents:write', 'studio:write', 'conversations:write'];

/** An account whose token is a key. */
export async function signUp(plan: 'plus' | 'creator' = 'creator'): Promise<Account> {
  const account = await lab.app.signUp({ plan });
  const body = { name: 'all', scopes };
  const { key } = expectStatus(await lab.app.call('POST', '/v1/auth/api-keys', { as: account.token, body }), 201).body;
  lab.session = account.token;
  return { ...account, token: key };
}

/** Starts an app for the tests of a file, and accounts for each of them. */
export function useExperiments(): void {
  beforeAll(async () => {
    lab.app = await startTestApp({ clock });
  });
  afterAll(() => lab.app.close());
  beforeEach(async () => {
    lab.bob = await signUp();
    lab.ada = await signUp();
  });
}

const system = () => lab.app.app.newCtx({ kind: 'system' });
const { signal } = new AbortController();
export const aggregate = () => aggregateStudioNotes(system(), signal);
export const judgeAll = () => judgeExperiments(system(), signal);

export const call = (method: string, path: string, body?: unknown, as = lab.ada.token, on = lab.app) =>
  on.call(method, path, { as, body });
export const post = async (path: string, body: unknown, status = 200, as = lab.ada.token) =>
  expectStatus(await call('POST', path, body, as), status).body;
export const sinceEvents = async (agentId: string) =>
  (await lab.app.db.query(`select type, data from outbox_events where data->>'agent_id' = $1 order by seq`, [agentId]))
    .rows;

interface Setup {
  agentId: string;
  live: string;
  draft: string;
  id: string;
}

/** An agent with a live version that speaks of apples and a draft that speaks of pears, in an experiment. */
export async function setUpExperiment(fields: object = {}, weights = [50, 50]): Promise<Setup> {
  const agent = await lab.app.createAgent(lab.ada.token, {
    instructions: 'Speak of apples.',
    is_public: true,
    greeting_message: 'Hello.',
  });
  const versions = `/v1/studio/agents/${agent.id}/versions`;
  const { id: draft } = await post(versions, { instructions: 'Speak of pears.' }, 201);
  const { data } = expectStatus(await call('GET', versions), 200).body;
  const live = data.find(({ is_live }: { is_live: boolean }) => is_live).id as string;
  const variants = [
    { key: 'a', version_id: live, weight: weights[0] },
    { key: 'b', version_id: draft, weight: weights[1] },
  ];
  const body = { name: 'Fruit', variants, ...fields };
  const { id } = await post(`/v1/studio/agents/${agent.id}/experiments`, body, 201);
  return { agentId: agent.id, live, draft, id };
}

export const act = async (id: string, action: string, status = 200, body: unknown = {}) =>
  post(`/v1/studio/experiments/${id}/${action}`, body, status);
export const started = async (fields: object = {}): Promise<Setup> => {
  const setup = await setUpExperiment(fields);
  await act(setup.id, 'start');
  return setup;
};

/** Talks to the agent in a new conversation. Returns the conversation's id. */
export async function talk(as: string, agentId: string, messages = 1, on = lab.app): Promise<string> {
  const { id } = expectStatus(await call('POST', '/v1/conversations', { agent_id: agentId }, as, on), 201).body;
  for (let n = 1; n <= messages; n++)
    expectStatus(await call('POST', `/v1/conversations/${id}/messages`, { content: `Message ${n}` }, as, on), 201);
  return id;
}

export const versionsUsed = async (userId: string): Promise<string[]> =>
  (
    await lab.app.db.query<{ version_id: string }>(
      `select version_id from generations where user_id = $1 order by created_at`,
      [userId],
    )
  ).rows.map(({ version_id }) => version_id);

export const results = async (id: string) =>
  expectStatus(await call('GET', `/v1/studio/experiments/${id}/results`), 200).body;

/** Stores people who have met a variant and whose window is over, and their messages' outcome. */
export async function addCounted(id: string, variant: string, people: number, successes: number): Promise<void> {
  await lab.app.db.query(
    `insert into experiment_sums (experiment_id, variant, exposed, people, successes) values ($1, $2, $3, $3, $4)
     on conflict (experiment_id, variant) do update set exposed = $3, people = $3, successes = $4`,
    [id, variant, people, successes],
  );
  await lab.app.db.query(
    `insert into experiment_exposures (experiment_id, subject, variant, user_id, exposed_at, window_ends_at, summed, counted_at, success)
     select $1, 'conv_' || $3 || n, $3, $2, now(), now(), true, now(), false from generate_series(1, 5) n on conflict do nothing`,
    [id, lab.bob.id, variant],
  );
}
