import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../../support/client.ts';
import { report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { expectDeath, type FaultHarness, openFaultHarness, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterAll(() => harness.close());

/** Steps of each change at which its process dies: one before the commit and one after it. */
const changes = {
  publish: ['version_publishing', 'version_published'],
  start: ['experiment_starting', 'experiment_started'],
  conclude: ['experiment_concluding', 'experiment_concluded'],
} as const;

test('leaves one live version and no half experiment after kill -9 at each step of a change', async ({ task }) => {
  const survivor = await harness.start();
  const ada = await signUpCreator(survivor, harness.db);
  const call = (path: string, body: object, service = survivor) =>
    service.call('POST', `/v1/studio${path}`, { as: ada.token, body });
  const stateOf = async (agentId: string) => {
    const { rows } = await harness.db.query(
      `select a.live_version_id as live, x.status, x.winner_version_id as winner,
        (select count(*)::integer from outbox_events e where e.type = 'agent.version_published' and e.data->>'agent_id' = a.id) as published
       from agents a join experiments x on x.agent_id = a.id where a.id = $1`,
      [agentId],
    );
    return rows[0];
  };
  for (const [change, failpoints] of Object.entries(changes)) {
    for (const [isCommitted, failpoint] of failpoints.entries()) {
      const agent = await survivor.createAgent(ada.token);
      const versions = `/agents/${agent.id}/versions`;
      const draft = expectStatus(await call(versions, { instructions: 'Be brief.' }), 201).body.id as string;
      const live = (await survivor.call('GET', `/v1/studio${versions}`, { as: ada.token })).body.data[1].id as string;
      const variants = [
        { key: 'a', version_id: live, weight: 50 },
        { key: 'b', version_id: draft, weight: 50 },
      ];
      const made = await call(`/agents/${agent.id}/experiments`, { name: 'Brevity', variants });
      const { id } = expectStatus(made, 201).body;
      if (change === 'conclude') expectStatus(await call(`/experiments/${id}/start`, {}), 200);
      const request = {
        publish: [`${versions}/${draft}/publish`, {}],
        start: [`/experiments/${id}/start`, {}],
        conclude: [`/experiments/${id}/conclude`, { version_id: draft }],
      }[change] as [path: string, body: object];
      const before = await stateOf(agent.id);
      const after = {
        publish: { live: draft, status: 'draft', winner: null, published: before.published + 1 },
        start: { live, status: 'running', winner: null, published: before.published },
        conclude: { live: draft, status: 'ended', winner: draft, published: before.published + 1 },
      }[change];

      const dying = await harness.start({ ROLE: 'web' }, { failpoint });
      await expect(call(...request, dying)).rejects.toThrow();
      await expectDeath(dying, failpoint);
      expect([failpoint, await stateOf(agent.id)]).toEqual([failpoint, isCommitted ? after : before]);
      expect(await findViolations(harness.db)).toEqual({});

      const { status } = await call(...request);
      expect([failpoint, status]).toEqual([failpoint, isCommitted && change !== 'publish' ? 409 : 200]);
      expect([failpoint, await stateOf(agent.id)]).toEqual([failpoint, after]);
      expect(await findViolations(harness.db)).toEqual({});
    }
  }
  report({ task }, { times: '6 steps', checked: '6 states, their events and the repeated requests' });
});
