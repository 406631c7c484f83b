import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import {
  act,
  call,
  clock,
  lab,
  post,
  signUp,
  started,
  talk,
  useExperiments,
  versionsUsed,
} from './experiment-fixture.ts';

useExperiments();

let other: TestApp;
beforeAll(async () => {
  other = await startTestApp({ clock, databaseUrl: lab.app.databaseUrl });
});
afterAll(() => other.close());

const asksToGreet = (subject: RegExp) => (body: object) =>
  /Write a greeting/.test(JSON.stringify(body)) && subject.test(JSON.stringify(body));

describe('while an experiment is under way', () => {
  test('the behaviour of its agent cannot be changed, all else can', async () => {
    const { agentId, id, draft } = await started();
    const refused = await call('PUT', `/v1/agents/${agentId}`, { instructions: 'Speak of plums.' });
    expect(expectStatus(refused, 409).body.error.message).toContain(id);
    expect((await call('POST', `/v1/studio/agents/${agentId}/versions/${draft}/publish`)).status).toBe(409);
    expectStatus(await call('PUT', `/v1/agents/${agentId}`, { description: 'Fruit.' }), 200);
    await act(id, 'pause');
    expect((await call('PUT', `/v1/agents/${agentId}`, { instructions: 'Speak of plums.' })).status).toBe(409);
    await act(id, 'stop');
    expectStatus(await call('PUT', `/v1/agents/${agentId}`, { instructions: 'Speak of plums.' }), 200);
  });

  test('a person has one variant in all conversations and on every instance, before and after a pause', async () => {
    const { agentId, id, live } = await started();
    await talk(lab.bob.token, agentId);
    const [variant] = await versionsUsed(lab.bob.id);
    await talk(lab.bob.token, agentId, 1, other);
    await act(id, 'pause');
    await talk(lab.bob.token, agentId);
    await act(id, 'resume');
    await talk(lab.bob.token, agentId, 1, other);
    expect(await versionsUsed(lab.bob.id)).toEqual([variant, variant, live, variant]);
  });

  test('a connection that dies between the exposure and the generation changes no variant', async () => {
    const { agentId, id } = await started();
    const conversation = expectStatus(
      await call('POST', '/v1/conversations', { agent_id: agentId }, lab.bob.token),
      201,
    );
    const path = `/v1/conversations/${conversation.body.id}/messages`;
    const locker = await lab.app.db.connect();
    await locker.query('begin; lock table generations in share mode');
    const sent = call('POST', path, { content: 'Hello.' }, lab.bob.token);
    const kill = `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into generations%'`;
    await eventually(async () => ((await lab.app.db.query(kill)).rowCount ?? 0) > 0, { what: 'the wait for the lock' });
    await locker.query('rollback');
    locker.release();
    await sent;
    expectStatus(await call('POST', path, { content: 'Hello.' }, lab.bob.token, other), 201);
    const exposures = `select variant from experiment_exposures where experiment_id = $1 and subject = $2`;
    const { rows } = await lab.app.db.query(exposures, [id, lab.bob.id]);
    const experiment = expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body;
    const used = new Set(await versionsUsed(lab.bob.id));
    expect(rows).toHaveLength(1);
    expect([...used]).toEqual([
      experiment.variants.find(({ key }: { key: string }) => key === rows[0].variant).version_id,
    ]);
  });

  test('its owner gets the live version and is not counted', async () => {
    const { agentId, id, live } = await started();
    await talk(lab.ada.token, agentId);
    expect(await versionsUsed(lab.ada.id)).toEqual([live]);
    const { rows } = await lab.app.db.query(`select * from experiment_exposures where experiment_id = $1`, [id]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['Live.', 'Draft.'],
    [null, null],
  ])('a person meets the greeting of their variant, be it %j and %j', async (ofLive, ofDraft) => {
    for (const { model } of [lab.app, other]) {
      model.script({ when: asksToGreet(/apples/), deltas: ['Of apples.'] });
      model.script({ when: asksToGreet(/pears/), deltas: ['Of pears.'] });
    }
    const fields = { is_public: true, greeting_message: ofLive, instructions: 'Speak of apples.' };
    const agent = await lab.app.createAgent(lab.ada.token, fields);
    const versions = `/v1/studio/agents/${agent.id}/versions`;
    const draft = await post(versions, { greeting_message: ofDraft, instructions: 'Speak of pears.' }, 201);
    const { data } = expectStatus(await call('GET', versions), 200).body;
    const variants = [
      { key: 'a', version_id: data[1].id, weight: 50 },
      { key: 'b', version_id: draft.id, weight: 50 },
    ];
    const { id } = await post(`/v1/studio/agents/${agent.id}/experiments`, { name: 'Greeting', variants }, 201);
    await act(id, 'start');
    for (const person of await Promise.all([1, 2, 3, 4, 5, 6].map(() => signUp('plus')))) {
      const { id: conversationId } = await post('/v1/conversations', { agent_id: agent.id }, 201, person.token);
      const path = `/v1/conversations/${conversationId}/messages`;
      const messages = async () => expectStatus(await call('GET', path, undefined, person.token), 200).body.data;
      const [greeting] = await eventually(async () => (await messages()).length > 0 && messages());
      expectStatus(await call('POST', path, { content: 'Hello.' }, person.token), 201);
      const [versionId] = await versionsUsed(person.id);
      expect(greeting.content).toBe(versionId === draft.id ? (ofDraft ?? 'Of pears.') : (ofLive ?? 'Of apples.'));
    }
  });
});
