import { describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import {
  addCounted,
  aggregate,
  call,
  clock,
  hourMs,
  judgeAll,
  lab,
  results,
  signUp,
  started,
  talk,
  useExperiments,
  versionsUsed,
} from './experiment-fixture.ts';

useExperiments();

describe('people', () => {
  test('count once their window is over, including those who never wrote again', async () => {
    const { agentId, id } = await started();
    const cleo = await signUp('plus');
    await talk(lab.bob.token, agentId, 3);
    await talk(cleo.token, agentId, 2);
    await judgeAll();
    const sums = async () =>
      (
        await lab.app.db.query(
          `select sum(exposed)::int as exposed, sum(people)::int as people, sum(successes)::int as successes
           from experiment_sums where experiment_id = $1`,
          [id],
        )
      ).rows[0];
    expect(await sums()).toEqual({ exposed: 2, people: 0, successes: 0 });
    clock.advance(25 * hourMs);
    await judgeAll();
    await judgeAll();
    expect(await sums()).toEqual({ exposed: 2, people: 2, successes: 1 });
  });

  test('have returned when they write on a later day', async () => {
    const { agentId, id } = await started({ metric: 'returned' });
    const cleo = await signUp('plus');
    await talk(lab.bob.token, agentId, 3);
    await talk(cleo.token, agentId);
    clock.advance(30 * hourMs);
    await talk(cleo.token, agentId);
    clock.advance(7 * 24 * hourMs);
    await judgeAll();
    const { rows } = await lab.app.db.query(
      `select user_id, success from experiment_exposures where experiment_id = $1 order by exposed_at`,
      [id],
    );
    expect(rows).toEqual([
      { user_id: lab.bob.id, success: false },
      { user_id: cleo.id, success: true },
    ]);
  });

  test('leave their sums behind when their account is purged', async () => {
    const { agentId, id } = await started();
    await talk(lab.bob.token, agentId, 3);
    await aggregate();
    clock.advance(25 * hourMs);
    await judgeAll();
    const sums = async () =>
      (await lab.app.db.query(`select * from experiment_sums where experiment_id = $1`, [id])).rows;
    const before = await sums();
    expect(before).toHaveLength(1);
    await lab.app.db.query(`delete from users where id = $1`, [lab.bob.id]);
    expect(await sums()).toEqual(before);
    for (const table of ['experiment_exposures', 'agent_day_users'])
      expect((await lab.app.db.query(`select from ${table} where user_id = $1`, [lab.bob.id])).rowCount).toBe(0);
  });
});

describe('results', () => {
  test('are withheld while few people are counted', async () => {
    const { id } = await started();
    const { variants, verdict, progress, sample_ratio } = await results(id);
    expect([verdict, progress]).toEqual(['collecting', 0]);
    expect(sample_ratio).toEqual({ ok: true, expected: [0.5, 0.5], observed: null });
    expect(variants[1]).toMatchObject({ key: 'b', people: null, rate: null, difference: null, interval: null });
  });

  test('are withheld while a variant has fewer than five counted people, also in the progress', async () => {
    const { id } = await started();
    await addCounted(id, 'a', 5, 2);
    await addCounted(id, 'b', 4, 2);
    const { variants, progress, sample_ratio } = await results(id);
    expect(variants.map(({ people }: { people: number | null }) => people)).toEqual([null, null]);
    expect([progress, sample_ratio.observed]).toEqual([0, null]);
  });

  test('give differences with intervals, and a verdict after the least number of days', async () => {
    const { id } = await started();
    await addCounted(id, 'a', 500, 150);
    await addCounted(id, 'b', 500, 250);
    expect((await results(id)).verdict).toBe('collecting');
    clock.advance(8 * 24 * hourMs);
    const found = await results(id);
    expect(found).toMatchObject({ verdict: 'better', best: 'b', progress: 1, warnings: [] });
    expect(found.variants[0]).toMatchObject({
      people: 500,
      successes: 150,
      rate: 0.3,
      difference: null,
      interval: null,
    });
    expect(found.variants[1].difference).toBeCloseTo(0.2, 10);
    expect(found.variants[1].interval[0]).toBeGreaterThan(0);
  });

  test('show replies, ratings and latencies of each variant, without a verdict on them', async () => {
    const { agentId, id } = await started();
    await addCounted(id, 'a', 150, 50);
    await addCounted(id, 'b', 150, 50);
    // Sums of an earlier release have no latencies.
    const talks = 3;
    for (let n = 0; n < talks; n++) {
      await talk(lab.bob.token, agentId);
      await aggregate();
    }
    const { variants } = await results(id);
    const met = variants.find(({ replies }: { replies: number }) => replies > 0);
    const other = variants.find(({ replies }: { replies: number }) => replies === 0);
    expect(met).toMatchObject({ replies: talks, failed: 0, thumbs_up: 0, thumbs_down: 0 });
    for (const latency of ['first_words_ms_p50', 'first_words_ms_p95', 'reply_ms_p50', 'reply_ms_p95']) {
      expect(met[latency]).toBeGreaterThan(0);
      expect(other[latency]).toBeNull();
    }
    const { rows } = await lab.app.db.query(
      `select (select sum(n)::integer from unnest(reply_times) n) as replies from experiment_sums
       where experiment_id = $1 and reply_times is not null`,
      [id],
    );
    expect(rows).toEqual([{ replies: talks }]);
    await addCounted(id, 'a', 99, 50);
    await addCounted(id, 'b', 99, 50);
    const withheld = (await results(id)).variants.find(({ key }: { key: string }) => key === met.key);
    expect([withheld.replies, withheld.reply_ms_p50]).toEqual([null, null]);
  });

  test('are invalid when people are not split as the weights say', async () => {
    const { id } = await started();
    await addCounted(id, 'a', 900, 300);
    await addCounted(id, 'b', 300, 200);
    clock.advance(8 * 24 * hourMs);
    expect(await results(id)).toMatchObject({
      verdict: 'invalid',
      best: null,
      sample_ratio: { ok: false, observed: [0.75, 0.25] },
      warnings: ['sample_ratio_mismatch'],
    });
  });
});

describe('the guardrail', () => {
  test('ends an experiment whose variant fails 40 % of fifty replies, and mails the owner', async () => {
    const { agentId, id, live } = await started();
    await lab.app.db.query(
      `insert into experiment_sums (experiment_id, variant, replies, failed) values ($1, 'a', 50, 0), ($1, 'b', 30, 20)`,
      [id],
    );
    await judgeAll();
    const ended = expectStatus(await call('GET', `/v1/studio/experiments/${id}`), 200).body;
    expect(ended).toMatchObject({ status: 'ended', ended_reason: 'guardrail' });
    await talk(lab.bob.token, agentId);
    expect(await versionsUsed(lab.bob.id)).toEqual([live]);
    const mails = `select 1 from mails where user_id = $1 and template = 'experimentEnded' union all select 1 from outbox_mails where user_id = $1 and subject like 'The experiment%'`;
    expect((await lab.app.db.query(mails, [lab.ada.id])).rowCount).toBe(1);
  });

  test('counts the replies of each variant from the conversations of its people', async () => {
    const { agentId, id } = await started();
    await talk(lab.bob.token, agentId, 2);
    await aggregate();
    const { rows } = await lab.app.db.query(`select replies, failed from experiment_sums where experiment_id = $1`, [
      id,
    ]);
    expect(rows).toEqual([{ replies: 2, failed: 0 }]);
  });
});
