import { describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { blur, focusInLayer, tabTo } from '../../support/keys.ts';
import { picture, uploadImage } from '../../support/images.ts';
import { decide, faultsOf, forms, lab, reported, useModerationConsole } from './moderation-fixture.ts';

useModerationConsole();

describe('reports and decisions of an account', () => {
  test('show their outcome; empty lists have a text, too', async () => {
    const { id, owner, reader } = await reported('Outcome');
    const page = await lab.app.visitAs(reader, '/settings/profile');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Reports' }).click();
    await page.getByText('There are no decisions about your content.').waitFor();
    const mine = page.getByRole('region', { name: 'Your reports' });
    await mine.getByText('Waiting for a decision').waitFor();
    await mine.getByText('Not a doctor.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await decide(id, 'hold');
    await page.reload();
    await mine.getByText('Action was taken').waitFor();
    const author = await lab.app.visitAs(owner, '/settings/reports', forms[1]);
    const held = author.getByRole('article', { name: 'Held' });
    await held.getByText('It claims too much.').waitFor();
    await held.getByText('You can appeal until', { exact: false }).waitFor();
    await author.getByText('You have not reported anything.', { exact: false }).waitFor();
    expect(await faultsOf(author)).toEqual([]);
    await held.getByRole('link', { name: 'Agent' }).click();
    await author.waitForURL(`**/agents/${id}/edit`);
    await author.getByText('The listing of this agent is held', { exact: false }).waitFor();
    expect(await faultsOf(author)).toEqual([]);
    await author.getByRole('link', { name: 'decision' }).click();
    await author.waitForURL('**/settings/reports');
    await held.waitFor();
  });

  test('a picture is reported separately where it is shown', async () => {
    const { id, owner, reader } = await reported('Pictured');
    const content = await picture(200, 200);
    const avatar = { kind: 'avatar', agent_id: id, apply: true };
    expect((await uploadImage(lab.app, owner.token, content, avatar)).status).toBe(201);
    const page = await lab.app.visitAs(reader, `/marketplace/${id}`);
    await page.getByRole('button', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report' });
    await dialog.getByLabel('About').selectOption('Picture');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Thank you. Moderators will review it.').waitFor();
    const { body } = await lab.app.call('GET', '/v1/reports', { as: reader.token });
    expect(body.data.map((mine: { subject_type: string }) => mine.subject_type).toSorted()).toEqual(['agent', 'image']);
  });

  test('an appeal is made with the keyboard alone, once, and what is typed survives closing', async () => {
    const { id, owner } = await reported('Appealed');
    await decide(id, 'remove');
    const page = await lab.app.visitAs(owner, '/settings/reports');
    const appeal = page.getByRole('button', { name: 'Appeal', exact: true });
    await tabTo(page, appeal);
    await page.keyboard.press('Enter');
    const text = page.getByLabel('Why is the decision wrong?');
    await focusInLayer(page);
    await tabTo(page, text);
    await page.keyboard.type('It is a joke.');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => appeal.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => text.inputValue()).toBe('It is a joke.');
    await focusInLayer(page);
    await tabTo(page, text);
    await page.keyboard.press('Control+Enter');
    await page.getByText('You appealed', { exact: false }).waitFor();
    await decide(id, 'none');
    await page.getByText('the decision is upheld', { exact: false }).waitFor();
    await blur(page);
    expect(await findings(page)).toEqual([]);
  });
});
