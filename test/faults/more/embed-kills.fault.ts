import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../../support/client.ts';
import { site } from '../../support/embeds.ts';
import { eventually } from '../../support/eventually.ts';
import { report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { expectDeath, type FaultHarness, openFaultHarness, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterAll(() => harness.close());

/** Steps of a visitor's first message at which the process dies. */
const steps = ['message_committing', 'message_accepted', 'generation_completing'] as const;

test('counts a visitor’s message once, and answers it, after kill -9 at each step', async ({ task }) => {
  const survivor = await harness.start();
  const ada = await signUpCreator(survivor, harness.db);
  const agent = await survivor.createAgent(ada.token, { greeting_message: 'Hello.' });
  const made = { agent_id: agent.id, name: 'Shop', allowed_origins: [site] };
  const embed = expectStatus(await survivor.call('POST', '/v1/embeds', { as: ada.token, body: made }), 201).body;
  for (const [i, failpoint] of steps.entries()) {
    const visit = { embed_id: embed.id, parent_origin: site };
    const session = expectStatus(await survivor.call('POST', '/v1/embed/sessions', { body: visit }), 200).body;
    const send = {
      as: session.visitor_token,
      body: { content: `Question ${i}` },
      headers: { 'idempotency-key': `q${i}` },
    };
    const dying = await harness.start({}, { failpoint });
    await expect(dying.call('POST', '/v1/embed/messages', send)).rejects.toThrow();
    await expectDeath(dying, failpoint);
    // The dead process's reply is interrupted within seconds; until then the repeated message waits for it.
    const answer = await eventually(async () => {
      const { status, body } = await survivor.call('POST', '/v1/embed/messages', send);
      return status === 201 ? body : null;
    });
    expect([failpoint, answer.user_message.content]).toEqual([failpoint, `Question ${i}`]);
    const { rows } = await harness.db.query(
      `select (select count(*)::integer from conversations where user_id = $1) as conversations,
         (select count(*)::integer from messages where user_id = $1 and role = 'user') as questions,
         (select messages - refunds from embed_days where embed_id = $2) as charged,
         (select messages from usage_counters where user_id = $1) as used`,
      [ada.id, embed.id],
    );
    const n = i + 1;
    expect([failpoint, rows[0]]).toEqual([failpoint, { conversations: n, questions: n, charged: n, used: n }]);
    expect(await findViolations(harness.db)).toEqual({});
  }
  report({ task }, { times: '3 steps', checked: '3 replies, both counters and the number of conversations' });
});
