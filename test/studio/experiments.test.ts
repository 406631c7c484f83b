import { describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import {
  act,
  call,
  judgeAll,
  lab,
  post,
  setUpExperiment,
  sinceEvents,
  started,
  useExperiments,
} from './experiment-fixture.ts';

useExperiments();

describe('an experiment', () => {
  test('begins as a draft with its defaults, and can be changed until it is started', async () => {
    const { id, agentId } = await setUpExperiment({ metric: 'returned', hypothesis: 'Pears are better.' });
    const draft = expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body;
    expect(draft).toMatchObject({ status: 'draft', metric: 'returned', min_days: 8, expected_people: 1_000 });
    expect(draft).toMatchObject({ started_at: null, ended_reason: null, winner_version_id: null });
    const changed = await call('PUT', `/v1/studio/experiments/${id}`, { name: 'Pears', metric: 'continued' });
    expect(expectStatus(changed, 200).body).toMatchObject({ name: 'Pears', hypothesis: 'Pears are better.' });
    const list = expectStatus(await call('GET', `/v1/studio/agents/${agentId}/experiments`), 200).body;
    expect([list.total, list.data[0].id]).toEqual([1, id]);
    await act(id, 'start');
    expect((await call('PUT', `/v1/studio/experiments/${id}`, { name: 'Late' })).status).toBe(409);
    expect((await call('DELETE', `/v1/studio/experiments/${id}`)).status).toBe(409);
    await act(id, 'stop');
    // Enough participants for more than one batch.
    await lab.app.db.query(
      `insert into experiment_exposures (experiment_id, subject, variant, user_id, exposed_at, window_ends_at)
       select $1, 'person ' || n, 'a', $2, now(), now() from generate_series(1, 5001) n`,
      [id, lab.bob.id],
    );
    const locker = await lab.app.db.connect();
    await locker.query('begin; lock table experiment_exposures in share mode');
    // The experiment is deleted although its participants cannot be removed yet.
    expectStatus(await call('DELETE', `/v1/studio/experiments/${id}`), 200);
    expect((await call('GET', `/v1/studio/experiments/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/studio/experiments/${id}`)).status).toBe(404);
    const left = expectStatus(await call('GET', `/v1/studio/agents/${agentId}/experiments`), 200).body;
    expect([left.total, left.data]).toEqual([0, []]);
    await locker.query('rollback');
    locker.release();
    const rows = `select from experiments where id = $1`;
    await eventually(async () => (await lab.app.db.query(rows, [id])).rowCount === 0, { what: 'the removal' });
  });

  test('gets the minimum duration of a new metric, unless the request states a duration', async () => {
    const { id } = await setUpExperiment();
    const path = `/v1/studio/experiments/${id}`;
    const change = (body: object) => call('PUT', path, body);
    const tooShort = expectStatus(await change({ metric: 'returned', min_days: 7 }), 400);
    expect(tooShort.body.error.details[0].field).toBe('min_days');
    const raised = expectStatus(await change({ metric: 'returned' }), 200).body;
    expect(raised).toMatchObject({ metric: 'returned', min_days: 8 });
    expectStatus(await change({ min_days: 20 }), 200);
    expect(expectStatus(await change({ metric: 'continued' }), 200).body.min_days).toBe(20);
  });

  test.each([
    [{ variants: [] }, 'variants'],
    [{ metric: 'fun' }, 'metric'],
    [{ expected_people: 199 }, 'expected_people'],
    [{ min_days: 61 }, 'min_days'],
    [{ metric: 'returned', min_days: 7 }, 'min_days'],
    [{ name: '' }, 'name'],
  ])('refuses %o', async (fields, field) => {
    const { agentId, live, draft } = await setUpExperiment();
    const variants = [
      { key: 'a', version_id: live, weight: 50 },
      { key: 'b', version_id: draft, weight: 50 },
    ];
    const body = { name: 'Fruit', variants, ...fields };
    const answer = expectStatus(await call('POST', `/v1/studio/agents/${agentId}/experiments`, body), 400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test('refuses weights that do not sum to 100, keys out of order and foreign versions', async () => {
    const { agentId, live, draft } = await setUpExperiment();
    const foreign = await setUpExperiment();
    const create = (variants: unknown) =>
      call('POST', `/v1/studio/agents/${agentId}/experiments`, { name: 'Fruit', variants });
    const a = { key: 'a', version_id: live, weight: 50 };
    expect((await create([a, { key: 'b', version_id: draft, weight: 40 }])).status).toBe(400);
    expect((await create([a, { key: 'c', version_id: draft, weight: 50 }])).status).toBe(400);
    expect((await create([a, { key: 'b', version_id: foreign.draft, weight: 50 }])).status).toBe(404);
    expect((await create([a, { key: 'b', version_id: 'ver_x', weight: 50 }])).status).toBe(404);
  });

  test('is refused at the start on the free plan, and a second one with the same agent', async () => {
    const { agentId, id, live, draft } = await setUpExperiment();
    await lab.app.db.query(`update users set plan = 'free' where id = $1`, [lab.ada.id]);
    expect((await act(id, 'start', 403)).error.code).toBe('plan_limit_exceeded');
    await lab.app.db.query(`update users set plan = 'creator' where id = $1`, [lab.ada.id]);
    await act(id, 'start');
    const variants = [
      { key: 'a', version_id: live, weight: 50 },
      { key: 'b', version_id: draft, weight: 50 },
    ];
    const second = await post(`/v1/studio/agents/${agentId}/experiments`, { name: 'Second', variants }, 201);
    expect((await act(second.id, 'start', 409)).error.code).toBe('conflict');
  });

  test('does not exist for others', async () => {
    const { agentId, id, draft } = await started();
    const path = `/v1/studio/experiments/${id}`;
    for (const [method, at, body] of [
      ['GET', `/v1/studio/agents/${agentId}/experiments`, undefined],
      ['GET', path, undefined],
      ['PUT', path, { name: 'Mine' }],
      ['DELETE', path, undefined],
      ['GET', `${path}/results`, undefined],
      ['POST', `${path}/stop`, {}],
      ['POST', `${path}/conclude`, { version_id: draft }],
    ] as const)
      expect([method, at, (await call(method, at, body, lab.bob.token)).status]).toEqual([method, at, 404]);
  });

  test('publishes an event at its start and at its end', async () => {
    const { agentId, id } = await started();
    await act(id, 'stop');
    const sent = (await sinceEvents(agentId)).filter(({ type }) => type.startsWith('experiment.'));
    expect(sent.map(({ type }) => type)).toEqual(['experiment.started', 'experiment.ended']);
    expect(sent[1]?.data).toMatchObject({ id, status: 'ended', ended_reason: 'stopped', verdict: 'collecting' });
  });

  test('ends when the agent becomes private', async () => {
    const { agentId, id } = await started();
    expectStatus(await call('PUT', `/v1/agents/${agentId}`, { is_public: false }), 200);
    const ended = expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body;
    expect(ended).toMatchObject({ status: 'ended', ended_reason: 'agent_unpublished' });
  });

  test('is paused when the plan allows no more', async () => {
    const { id } = await started();
    await lab.app.db.query(`update users set plan = 'free' where id = $1`, [lab.ada.id]);
    await judgeAll();
    expect(expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body.status).toBe('paused');
    expect((await act(id, 'resume', 403)).error.code).toBe('plan_limit_exceeded');
    await act(id, 'stop');
  });

  test('is not paused for the experiment of a deleted agent', async () => {
    const older = await started();
    // The task that removes the agent has not run yet.
    await lab.app.db.query(`update agents set deleted_at = now() where id = $1`, [older.agentId]);
    await lab.app.db.query(`update users set plan = 'plus' where id = $1`, [lab.ada.id]);
    const { id } = await started();
    await judgeAll();
    expect(expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body.status).toBe('running');
  });
});

describe('concluding', () => {
  test('makes a variant live, with one event of each kind', async () => {
    const { agentId, id, draft, live } = await started();
    expect((await act(id, 'conclude', 400, { version_id: newId('ver_') })).error.details[0].field).toBe('version_id');
    const ended = await act(id, 'conclude', 200, { version_id: draft });
    expect(ended).toMatchObject({ status: 'ended', ended_reason: 'concluded', winner_version_id: draft });
    const agent = expectStatus(await call('GET', `/v1/agents/${agentId}`), 200).body;
    expect(agent.instructions).toBe('Speak of pears.');
    const sent = (await sinceEvents(agentId)).map(({ type }) => type);
    expect(sent.filter((type) => type === 'agent.version_published')).toHaveLength(1);
    expect(sent.filter((type) => type === 'experiment.ended')).toHaveLength(1);
    await act(id, 'conclude', 409, { version_id: live });
  });

  test('needs the scope to change agents', async () => {
    const { id, draft } = await started();
    const { key } = await post('/v1/auth/api-keys', { name: 'studio', scopes: ['studio:write'] }, 201, lab.session);
    const answer = await call('POST', `/v1/studio/experiments/${id}/conclude`, { version_id: draft }, key);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
  });
});
