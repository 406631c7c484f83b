import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Answer, expectStatus } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { fileForm } from '../../support/knowledge.ts';

const clients = 10;
const seconds = countOf({ quick: 4, long: 60 });
let app: TestApp;
let other: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-plan-limits-'));
  const secrets = { AUTH_SECRET: 's'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
  const env = { ...secrets, FILES_URL: pathToFileURL(folder).href };
  app = await startTestApp({ env });
  other = await startTestApp({ env, databaseUrl: app.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Counts an owner's objects at each commit, one commit after the other. */
const watch = (table: string, owner: string, counted: string): string => `
  create table seen_${table} (n integer);
  create function watch_${table}() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(hashtext('watch ' || new.${owner}));
    insert into seen_${table} select count(*) from ${table} where ${owner} = new.${owner} and ${counted};
    return null;
  end $$;
  create constraint trigger watch after insert on ${table} deferrable initially deferred
    for each row execute function watch_${table}();`;

/** Creates and deletes without pauses on both instances. Returns how often it was allowed and refused. */
async function loop(
  make: (instance: TestApp) => Promise<Answer>,
  remove: (instance: TestApp, id: string) => Promise<Answer>,
) {
  const counts = { made: 0, refused: 0 };
  const endMs = performance.now() + seconds * 1_000;
  const client = async (n: number): Promise<void> => {
    for (let turn = n; performance.now() < endMs; turn++) {
      const answer = await make([app, other][turn % 2]!);
      if (answer.status === 201) {
        counts.made++;
        await sleep(Math.random() * 20);
        expectStatus(await remove([other, app][turn % 2]!, answer.body.id as string), 200);
      } else if (answer.status !== 503) {
        expect([answer.status, answer.body.error.code]).toEqual([403, 'plan_limit_exceeded']);
        counts.refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  return counts;
}

test(
  'never exceeds the plan at any commit while agents and documents are created and deleted on two instances',
  async ({ task }) => {
    await app.db.query(watch('agents', 'owner_id', 'deleted_at is null'));
    await app.db.query(watch('documents', 'owner_id', `status <> 'failed'`));
    const ada = await app.signUp();
    const as = ada.token;
    const agents = await loop(
      (instance) => instance.call('POST', '/v1/agents', { as, body: { name: 'Ada', instructions: 'Teach.' } }),
      (instance, id) => instance.call('DELETE', `/v1/agents/${id}`, { as }),
    );
    const { id: agentId } = await app.createAgent(as);
    const path = `/v1/knowledge/${agentId}/documents`;
    const documents = await loop(
      (instance) => instance.call('POST', path, { as, body: fileForm('notes.txt', 'Some text.') }),
      (instance, id) => instance.call('DELETE', `${path}/${id}`, { as }),
    );
    const atOnce = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        [app, other][i % 2]!.call('POST', path, { as, body: fileForm(`${i}.txt`, 'Some text.') }),
      ),
    );
    expect(atOnce.filter(({ status }) => status === 201)).toHaveLength(5);
    const most = await app.db.query<{ agents: number; documents: number }>(
      'select (select max(n) from seen_agents) as agents, (select max(n) from seen_documents) as documents',
    );
    // The limit is reached and never exceeded.
    expect(most.rows).toEqual([{ agents: 3, documents: 5 }]);
    expect(Math.min(agents.refused, agents.made, documents.made)).toBeGreaterThan(0);
    report(
      { task },
      {
        times: `${agents.made + agents.refused} agents, ${documents.made + documents.refused + 20} documents`,
        checked: `${agents.made + documents.made} commits`,
      },
    );
  },
  60_000 + seconds * 4_000,
);
