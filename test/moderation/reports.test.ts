import { describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { establish } from '../support/moderators.ts';
import { caseOf, decide, get, isListed, lab, publish, report, stateOf, useModeration } from './moderation-fixture.ts';

useModeration();

describe('a report', () => {
  test('is accepted from everyone who can see the subject, once per account, and shows its outcome', async () => {
    const agent = await publish({ name: 'Reported' });
    const first = await report(agent.id, lab.reader.token, { comment: 'Pretends to be a doctor.' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      subject_type: 'agent',
      subject_id: agent.id,
      reason: 'deception',
      comment: 'Pretends to be a doctor.',
      status: 'received',
      decided_at: null,
    });
    const second = await report(agent.id, lab.reader.token, { reason: 'spam' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await report(agent.id, undefined, { contact_email: 'me@example.com' })).status).toBe(201);
    expect(await caseOf(agent.id)).toMatchObject({
      case: { open: true, reporter_count: 1, report_count: 2, author_id: lab.owner.id },
      subject: { title: 'Reported', state: 'ok' },
    });
    expectStatus(await decide(agent.id, 'hold'), 201);
    const { body } = await get('/v1/reports', lab.reader.token);
    expect(body.data[0]).toMatchObject({ id: first.body.id, status: 'actioned', decided_at: expect.any(String) });
  });

  test('of a subject that the reporter cannot see is refused like one of an unknown subject', async () => {
    const hidden = await lab.app.createAgent(lab.owner.token);
    const [foreign, none] = [
      await report(hidden.id, lab.reader.token),
      await report('019bc0de-0000-7000-8000-00000000aaaa', lab.reader.token),
    ];
    expect([foreign.status, foreign.body]).toEqual([404, none.body]);
    const invalid = await report(hidden.id, lab.reader.token, { reason: 'dislike' });
    expect([invalid.status, invalid.body.error.details[0].field]).toEqual([400, 'reason']);
  });

  test('is limited to ten an hour per account, and to five per address without one', async () => {
    const limited = await startTestApp({
      databaseUrl: lab.app.databaseUrl,
      env: { RATE_LIMITS: '{}', DATA_DIR: lab.app.dataDir },
    });
    try {
      const { id } = await publish({ name: 'Limited' });
      const spammer = await lab.app.signUp();
      const send = (as?: string) =>
        limited.call('POST', '/v1/reports', {
          ...(as ? { as } : {}),
          body: { subject_type: 'agent', subject_id: id, reason: 'spam' },
        });
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await send(spammer.token)).status);
      expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 200), 429]);
      for (let n = 0; n < 5; n++) expectStatus(await send(), 201);
      const refused = await send();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    } finally {
      await limited.close();
    }
  });
});

describe('an automatic hold', () => {
  test('needs five established accounts within a day; throw-away accounts change nothing', async () => {
    const agent = await publish({ name: 'Targeted' });
    const puppets = await Promise.all(Array.from({ length: 6 }, () => lab.app.signUp()));
    for (const { token } of puppets) expectStatus(await report(agent.id, token), 201);
    for (let n = 0; n < 6; n++) expectStatus(await report(agent.id), 201);
    expect(await stateOf(agent.id)).toBe('ok');
    const people = await Promise.all(Array.from({ length: 5 }, () => lab.app.signUp()));
    await establish(lab.app, people);
    const [last, ...others] = people;
    await Promise.all(others.map(({ token }) => report(agent.id, token)));
    await lab.app.db.query(
      `update moderation_reports set created_at = created_at - interval '25 hours' where reporter_id = $1`,
      [others[0]?.id],
    );
    expectStatus(await report(agent.id, last?.token), 201);
    expect(await stateOf(agent.id)).toBe('ok');
    const sixth = await lab.app.signUp();
    await establish(lab.app, [sixth]);
    expectStatus(await report(agent.id, sixth.token), 201);
    expect(await stateOf(agent.id)).toBe('held');
    expect(await isListed('Targeted')).toBe(false);
    expect((await get('/v1/agents/explore?q=Targeted', lab.reader.token)).body.total).toBe(0);
    expect((await get(`/v1/marketplace/agents/${agent.id}`)).status).toBe(200);
    expectStatus(
      await lab.app.call('POST', '/v1/conversations', { as: lab.reader.token, body: { agent_id: agent.id } }),
      201,
    );
    const [decision] = (await get('/v1/moderation/decisions', lab.owner.token)).body.data;
    expect(decision).toMatchObject({ subject_id: agent.id, action: 'hold', automated: true, appeal: null });
    expect((await caseOf(agent.id)).case).toMatchObject({ open: true, reporter_count: 12 });
  });

  /** Creates an agent that five established accounts have reported. */
  async function heldAgent() {
    const { id } = await publish();
    const people = await Promise.all(Array.from({ length: 5 }, () => lab.app.signUp()));
    await establish(lab.app, people);
    for (const { token } of people) expectStatus(await report(id, token), 201);
    expect(await stateOf(id)).toBe('held');
    const { data } = (await get('/v1/moderation/decisions', lab.owner.token)).body;
    return { id, appealPath: `/v1/moderation/decisions/${data[0].id}/appeal` };
  }

  test('ends when a moderator finds nothing', async () => {
    const { id } = await heldAgent();
    expectStatus(await decide(id, 'none'), 201);
    expect(await stateOf(id)).toBe('ok');
  });

  test('stays when a moderator confirms it, and when an appeal against it is turned down', async () => {
    const confirmed = await heldAgent();
    expectStatus(await decide(confirmed.id, 'hold'), 201);
    expectStatus(await report(confirmed.id), 201);
    expectStatus(await decide(confirmed.id, 'none'), 201);
    expect(await stateOf(confirmed.id)).toBe('held');
    const appealed = await heldAgent();
    expectStatus(await lab.app.call('POST', appealed.appealPath, { as: lab.owner.token, body: { text: 'Why?' } }), 200);
    expectStatus(await decide(appealed.id, 'none'), 201);
    expect(await stateOf(appealed.id)).toBe('held');
  });
});
