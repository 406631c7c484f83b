import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { shareFeedback, useByFive } from '../../support/agent-use.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

/** Stores results of an agent's experiment, with a split that contradicts the weights and a variant that fails. */
async function countVariants(agentId: string): Promise<void> {
  const latency = `case v.variant when 'a' then (select array_agg((n = 19)::integer * 9) from generate_series(1, 48) n) end`;
  await app.db.query(
    `insert into experiment_sums (experiment_id, variant, exposed, people, successes, replies, failed, thumbs_up, thumbs_down, first_words, reply_times)
     select x.id, v.*, ${latency}, ${latency} from experiments x,
       (values ('a', 900, 900, 300, 400, 0, 3, 1), ('b', 300, 300, 100, 90, 10, 0, 0)) v (variant, exposed, people, successes, replies, failed, up, down)
     where x.agent_id = $1
     on conflict (experiment_id, variant) do nothing`,
    [agentId],
  );
  await app.db.query(
    `insert into experiment_exposures (experiment_id, subject, variant, user_id, exposed_at, window_ends_at, summed, counted_at, success)
     select x.id, 'conv_' || v || n, v, a.owner_id, now(), now(), true, now(), false
     from experiments x join agents a on a.id = x.agent_id, unnest(array['a', 'b']) v, generate_series(1, 5) n
     where x.agent_id = $1`,
    [agentId],
  );
}

describe('the studio', () => {
  test('compares, restores and tries versions', async () => {
    const page = await app.visitSignedIn('/agents');
    const agent = await app.createAgent(page.token, {
      instructions: 'Be kind.\nBe brief.',
      greeting_message: 'Hello.',
    });
    const edit = { instructions: 'Be kind.\nBe long.' };
    await app.call('PUT', `/v1/agents/${agent.id}`, { as: page.token, body: edit });
    await page.goto(`/agents/${agent.id}/versions`);
    const first = page.getByRole('article', { name: 'Version 1' });
    await first.getByText('· Balanced ·').waitFor();
    await first.getByRole('button', { name: 'Compare' }).click();
    const diff = first.getByRole('region', { name: 'Instructions' });
    await diff.getByText('Be brief.').waitFor();
    expect(await diff.locator('[data-kind="added"]').innerText()).toContain('Be brief.');
    expect(await diff.locator('[data-kind="removed"]').innerText()).toContain('Be long.');
    await first.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await first.getByText('Live', { exact: true }).waitFor();
    const { body } = await app.call('GET', `/v1/agents/${agent.id}`, { as: page.token });
    expect(body.instructions).toBe('Be kind.\nBe brief.');
    await page.getByRole('article', { name: 'Version 2' }).getByRole('button', { name: 'Try' }).click();
    await page.waitForURL(/\/chat\/conv_/);
  });

  test('saves a draft with another model, voice and greeting than the live version', async () => {
    const page = await app.visitSignedIn('/agents');
    const fields = { instructions: 'Be kind.', greeting_message: 'Hello.', voice_id: 'echo' };
    const agent = await app.createAgent(page.token, fields);
    const versions = `/v1/studio/agents/${agent.id}/versions`;
    await page.goto(`/agents/${agent.id}/versions`);
    await page.getByRole('button', { name: 'New draft' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Voice').inputValue()).toBe('ECHO');
    expect(await dialog.getByLabel('Greeting').inputValue()).toBe('Hello.');
    await dialog.getByLabel('Model').selectOption('FAST');
    await dialog.getByLabel('Voice').selectOption('Default');
    await dialog.getByLabel('Greeting').fill('');
    await dialog.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('article', { name: 'Version 2' }).getByText('· Fast ·').waitFor();
    const [{ id }] = (await app.call('GET', versions, { as: page.token })).body.data;
    const { body } = await app.call('GET', `${versions}/${id}`, { as: page.token });
    expect(body).toMatchObject({ instructions: 'Be kind.', model: 'fast', voice_id: null, greeting_message: null });
  });

  test('creates an experiment, starts it and says in words what it has shown', async () => {
    const page = await app.visitSignedIn('/agents');
    await app.db.query(`update users set plan = 'plus' where email = $1`, [page.visitor.email]);
    const agent = await app.createAgent(page.token, { instructions: 'Be kind.' });
    await page.goto(`/agents/${agent.id}/experiments`);
    await page.getByText('Save a draft under').getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'New draft' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New draft' }).click();
    await dialog.getByLabel('Note').fill('Brief');
    await dialog.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Brief ·').waitFor();
    await page.getByRole('link', { name: 'Experiments' }).click();
    await page.getByRole('button', { name: 'New experiment' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.getByLabel('Name').fill('Brevity');
    await page.getByRole('button', { name: 'Create draft' }).click();
    const card = page.getByRole('article', { name: 'Brevity' });
    await card.getByRole('button', { name: 'Start' }).click();
    await card.getByText('Too early to tell. A verdict needs 100 people of each variant and 7 days.').waitFor();
    await countVariants(agent.id);
    await page.reload();
    const replies = card.getByRole('region', { name: 'Replies of the variants of Brevity' });
    await replies.getByRole('row', { name: 'Control 400 0 (0 %) 75 % 0.5 s 0.5 s' }).waitFor();
    await replies.getByRole('row', { name: /^Variant b 90 10 \(10 %\) – – –/ }).waitFor();
    await card
      .getByText(
        'The variants were assigned 75 % / 25 % of the people, in the order below. The weights expect 50 % / 50 %.',
      )
      .waitFor();
    await card.getByText('A variant fails to reply more often than the control does.').waitFor();
    await card.getByRole('button', { name: 'Stop' }).click();
    await card.getByText('You stopped it.').waitFor();
  });

  test('shows an empty period in words, and figures as charts that are tables, too', async () => {
    const page = await app.visitSignedIn('/agents');
    const agent = await app.createAgent(page.token);
    await page.goto(`/agents/${agent.id}/analytics`);
    await page.getByText('No messages in this period').waitFor();
    await page.getByText('Your plan includes the last 7 days.').waitFor();
    await page.getByText('Nothing was shared yet').waitFor();
    await app.db.query(`update agents set is_public = true where id = $1`, [agent.id]);
    await shareFeedback(app, agent.id);
    await useByFive(app, agent.id);
    await page.reload();
    await page.getByRole('img', { name: /Messages a day/ }).waitFor();
    await page.getByRole('button', { name: 'Show as a table' }).first().click();
    await page.getByRole('table').first().getByRole('row', { name: / 10$/ }).waitFor();
    await page.getByLabel('Charts').selectOption('By week');
    await page.getByRole('img', { name: /People a week/ }).waitFor();
    const shared = page.getByRole('article', { name: 'Bad reply' });
    await shared.getByText('Too vague.').waitFor();
    await shared.getByText('Show the reply').click();
    await shared.getByText('How far is the moon?').waitFor();
  });

  test('breaks figures down and saves them as CSV under a paid plan, and shows all agents together', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    await app.db.query(`update users set plan = 'plus' where email = $1`, [page.visitor.email]);
    const agent = await app.createAgent(page.token, { name: 'Ada' });
    await useByFive(app, agent.id);
    await page.goto(`/agents/${agent.id}/analytics`);
    const parts = page.getByRole('region', { name: 'Breakdown of the figures' });
    await parts.getByRole('row', { name: /^Version 1 10 / }).waitFor();
    await page.getByRole('button', { name: 'By source' }).click();
    await parts.getByRole('row', { name: /^In this service 10 / }).waitFor();
    await page.getByLabel('Period').selectOption('Last 90 days');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv.split('\n')).toHaveLength(92);
    expect(csv).toMatch(/^date,/);
    await page.goto('/agents');
    await page.getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('row', { name: 'Ada 5 10' }).waitFor();
    await page.getByRole('img', { name: /Messages a day/ }).waitFor();
  });
});
