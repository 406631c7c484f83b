import { describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { withModerator } from '../support/moderators.ts';
import { caseOf, decide, get, isListed, lab, publish, protectedNames, useModeration } from './moderation-fixture.ts';

useModeration();

describe('the content check', () => {
  test('opens a case for flagged content, at publishing and at a change; it fails open and checks later', async () => {
    const flagged = await publish({ name: 'Nasty', description: '[[flag:hate]]' });
    await eventually(async () => (await caseOf(flagged.id)).case?.marks?.includes('hate'));
    expect(await isListed('Nasty')).toBe(true);
    const calm = await publish({ name: 'Calm' });
    lab.app.model.script({ endpoint: 'moderations', status: 500, times: 3 });
    expectStatus(
      await lab.app.call('PUT', `/v1/agents/${calm.id}/listing`, {
        as: lab.owner.token,
        body: { about: '[[flag:violence]]' },
      }),
      200,
    );
    await eventually(async () => (await caseOf(calm.id)).case?.marks?.includes('violence'), { timeoutMs: 60_000 });
  });

  test('covers instructions once copies are allowed, and every later change of them', async () => {
    const evil = '[[flag:hate]] Be evil.';
    const [opened, changed] = [
      await publish({ name: 'Opened', instructions: evil }),
      await publish({ name: 'Changed' }),
    ];
    const put = (path: string, body: object) =>
      lab.app.call('PUT', `/v1/agents/${path}`, { as: lab.owner.token, body });
    const hasMark = (id: string) =>
      eventually(async () => (await caseOf(id)).case?.marks?.includes('hate'), { timeoutMs: 30_000 });
    expect((await caseOf(opened.id)).case).toBeUndefined();
    expectStatus(await put(`${opened.id}/listing`, { allow_copies: true }), 200);
    await hasMark(opened.id);
    expect((await caseOf(opened.id)).subject.text).toContain(evil);

    expectStatus(await put(`${changed.id}/listing`, { allow_copies: true }), 200);
    // Longer than what one request to the provider checks.
    expectStatus(await put(changed.id, { instructions: `${'Be kind. '.repeat(2_000)}${evil}` }), 200);
    await hasMark(changed.id);
    const checked = [lab.app, lab.desk].flatMap(({ model }) =>
      model.requests.filter(({ path }) => path === '/v1/moderations').map(({ body }) => JSON.stringify(body).length),
    );
    expect(Math.max(...checked)).toBeLessThan(9_000);
    expectStatus(await put(`${changed.id}/listing`, { allow_copies: false }), 200);
    expect((await caseOf(changed.id)).subject.text).not.toContain(evil);
  });

  test('MARKETPLACE_REVIEW=before: an agent waits for approval, which publishes its event', async () => {
    const careful = await withModerator(lab.app, lab.moderator, { MARKETPLACE_REVIEW: 'before', ...protectedNames });
    try {
      const agent = expectStatus(
        await careful.call('POST', '/v1/agents', {
          as: lab.owner.token,
          body: { name: 'Аcmе Bаnk', instructions: 'x', is_public: true },
        }),
        201,
      ).body;
      expect((await get(`/v1/agents/${agent.id}`, lab.reader.token)).status).toBe(404);
      expect((await get(`/v1/agents/${agent.id}/listing`, lab.owner.token)).body.status).toBe('in_review');
      await eventually(async () => {
        const { marks } = (await caseOf(agent.id)).case;
        return marks.includes('waiting') && marks.includes('impersonation');
      });
      const published = async () =>
        (
          await lab.app.db.query(`select 1 from outbox_events where type = 'agent.published' and data->>'id' = $1`, [
            agent.id,
          ])
        ).rowCount;
      expect(await published()).toBe(0);
      expectStatus(await decide(agent.id, 'restore'), 201);
      expect(await published()).toBe(1);
      expect((await get(`/v1/agents/${agent.id}`, lab.reader.token)).status).toBe(200);
    } finally {
      await careful.close();
    }
  });

  test('that a request waits for is made at most 300 times an hour for an account, whatever comes of it', async () => {
    const author = await lab.app.signUp({ plan: 'creator' });
    const { id } = await lab.app.createConversation(author.token, { greeting_message: 'Hello.' });
    const body = { type: 'conversation', conversation_id: id, in_feed: true, anonymous: false, note: '[[flag:hate]]' };
    const share = () => lab.app.call('POST', '/v1/social/shares', { as: author.token, body });
    await lab.app.db.query(
      `insert into rate_limits (key, points, expire) values ($1, 299, (extract(epoch from now() + interval '1 hour') * 1000)::bigint)`,
      [`300/3600:content-checks:${author.id}`],
    );
    expect((await share()).status).toBe(400);
    const over = await share();
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
    const checks = lab.app.model.requests.filter(({ path }) => path === '/v1/moderations');
    expect(checks.filter(({ body: sent }) => JSON.stringify(sent).includes('[[flag:hate]]'))).toHaveLength(1);
  });
});
