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
});
