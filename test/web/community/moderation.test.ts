import { describe, expect, test } from 'vitest';
import { findings } from '../../support/accessibility.ts';
import { go } from '../../support/browser.ts';
import type { Account } from '../../support/client.ts';
import { picture, uploadImage } from '../../support/images.ts';
import { pressUntil, tabTo } from '../../support/keys.ts';
import { createRoom } from '../../support/rooms.ts';
import { settled } from '../../support/settled.ts';
import { caseOf, decide, faultsOf, forms, lab, reported, useModerationConsole } from './moderation-fixture.ts';

useModerationConsole();

describe('the desk of moderators', () => {
  test('does not exist for other accounts, and is not offered to them', async () => {
    const { id, reader } = await reported('Hidden desk');
    const page = await lab.app.visitAs(reader, '/agents');
    await page.getByRole('link', { name: 'Marketplace' }).waitFor();
    expect(await page.getByRole('link', { name: 'Moderation' }).count()).toBe(0);
    for (const path of ['/moderation', '/moderation/featured', `/moderation/agent/${id}`]) {
      await go(page, path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await page.getByText('Hidden desk').count()).toBe(0);
    }
    await go(page, `/marketplace/${id}`);
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Feature' }).count()).toBe(0);
  });

  test.each(forms)('lists cases and shows one without a fault, in $colorScheme', async (form) => {
    const { id, owner } = await reported('Faultless');
    const page = await lab.app.visitAs(lab.app.moderator, '/moderation', form);
    await page.getByRole('table', { name: 'Moderation' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const decision = await decide(id, 'remove');
    const path = `/v1/moderation/decisions/${decision.id}/appeal`;
    await lab.app.call('POST', path, { as: owner.token, body: { text: 'It is a joke.' } });
    for (const screen of ['/moderation?state=APPEALED', '/moderation?state=CLOSED', '/moderation/featured']) {
      await go(page, screen);
      expect([screen, await faultsOf(page)]).toEqual([screen, []]);
    }
    await go(page, `/moderation/agent/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Faultless' }).waitFor();
    await page.getByRole('region', { name: 'Decide' }).getByText('It is a joke.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test('a case is found, read and decided with the keyboard alone', async () => {
    const { id, reader } = await reported('Doctor Who');
    await lab.app.db.query(`update moderation_cases set reporters = 50 where subject_id = $1`, [id]);
    const page = await lab.app.visitAs(lab.app.moderator, '/agents');
    await page.getByRole('link', { name: 'Moderation' }).waitFor();
    await pressUntil(page, 'gd', page.getByRole('heading', { level: 1, name: 'Moderation' }));
    await tabTo(page, page.getByRole('table', { name: 'Moderation' }).getByRole('link').first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Doctor Who' }).waitFor();
    await page.getByRole('region', { name: 'Reported content' }).getByText('Doctor Who heals.').waitFor();
    await page.getByRole('region', { name: 'Reports' }).getByText('Not a doctor.').waitFor();
    expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('DECEPTION');
    await tabTo(page, page.getByRole('radio', { name: 'Do nothing' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('radio', { name: 'Remove' }).isChecked()).toBe(true);
    await page.keyboard.press('Control+Enter');
    // The service's error is shown beside the field, which receives the focus.
    const statement = page.getByLabel('Reasons for the author');
    await expect.poll(() => statement.and(page.locator(':focus')).getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type('It claims to be a doctor.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Decided. The author is notified of the reasons.').waitFor();
    await page.waitForURL('**/moderation');
    expect(await caseOf(id)).toMatchObject({
      case: { open: false },
      subject: { state: 'removed' },
      decisions: [{ action: 'remove', reason: 'deception', statement: 'It claims to be a doctor.' }],
    });
    const { body } = await lab.app.call('GET', '/v1/reports', { as: reader.token });
    expect(body.data).toMatchObject([{ status: 'actioned' }]);
  });

  test('what is typed survives a reload; pointing at a case is not recorded as access', async () => {
    const { id } = await reported('Draft');
    await lab.app.db.query(`update moderation_cases set reporters = 60 where subject_id = $1`, [id]);
    const looks = async () =>
      (
        await lab.app.db.query(
          `select count(*)::int as count from audit_events where action = 'moderation.case_viewed' and subject = $1`,
          [`agent:${id}`],
        )
      ).rows[0].count;
    const page = await lab.app.visitAs(lab.app.moderator, '/moderation');
    await page.getByRole('table').getByRole('link').first().hover();
    await page.getByRole('table').getByRole('link').first().focus();
    await settled(page);
    expect(await looks()).toBe(0);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByLabel('Reasons for the author').fill('Because it');
    expect(await looks()).toBe(1);
    await page.reload();
    await expect.poll(() => page.getByLabel('Reasons for the author').inputValue()).toBe('Because it');
    await page.getByRole('radio', { name: 'Do nothing' }).check();
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.waitForURL('**/moderation');
    await page.getByRole('link', { name: 'Closed' }).click();
    await page.waitForURL('**/moderation?state=CLOSED');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Draft' }).waitFor();
    expect(await page.getByLabel('Reasons for the author').inputValue()).toBe('');
  });

  test('shows a removed picture, read once for each visit', async () => {
    const owner = await lab.app.signUp();
    const { body } = await uploadImage(lab.app, owner.token, await picture(300, 300));
    await decide(body.id, 'remove', { subject_type: 'image' });
    const page = await lab.app.visitAs(lab.app.moderator, `/moderation/image/${body.id}`);
    const width = `document.querySelector('img[alt="Reported picture"]')?.naturalWidth`;
    await expect.poll(() => page.evaluate(width)).toBeGreaterThan(0);
    expect(await faultsOf(page)).toEqual([]);
    const { rows } = await lab.app.db.query(
      `select 1 from audit_events where action = 'moderation.picture_viewed' and subject = $1`,
      [`image:${body.id}`],
    );
    expect(rows).toHaveLength(1);
  });

  test('cases are listed in pages of thirty; an empty list says what fills it', async () => {
    const page = await lab.app.visitAs(lab.app.moderator, '/moderation');
    await page.getByRole('table').waitFor();
    await lab.app.db.query(
      `insert into moderation_cases (id, subject_type, subject_id, is_open, reporters, reports, marks, opened_at, updated_at)
       select 'room:many-' || n, 'room', 'many-' || n, true, 0, 1, '{follow_spam}', now(), now() from generate_series(1, 35) n`,
    );
    await page.reload();
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(31);
    await page.getByText('Follows many accounts within an hour').first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(35);
    await lab.app.db.query(`delete from moderation_cases where subject_id like 'many-%'`);
    await lab.app.db.query(`update moderation_cases set appealed_at = null`);
    await go(page, '/moderation?state=APPEALED');
    await page.getByRole('heading', { name: 'No pending appeals' }).waitFor();
  });

  test('a removal that erases asks first; an appeal against it is decided though the room is gone', async () => {
    const room = await createRoom(lab.app, { people: 1 });
    const [host, member] = room.people as [Account, Account];
    const reader = await lab.app.visitAs(member, `/rooms/${room.id}/settings`);
    await reader.getByRole('button', { name: 'Report this room' }).click();
    const noticed = reader.getByRole('dialog', { name: 'Report' });
    await noticed.getByLabel('Reason').selectOption('Hatred of a group of people');
    await noticed.getByRole('button', { name: 'Send the report' }).click();
    await reader.getByText('Thank you. Moderators will review it.').waitFor();
    const page = await lab.app.visitAs(lab.app.moderator, `/moderation/room/${room.id}`);
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
    // A hold is not offered, because no list shows rooms.
    expect(await page.getByRole('radio', { name: 'Hold' }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Remove' }).check();
    await page.getByLabel('Reasons for the author').fill('Hatred.');
    await page.getByRole('button', { name: 'Decide' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this room permanently?' });
    await question.waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL('**/moderation');
    expect((await lab.app.call('GET', `/v1/rooms/${room.id}`, { as: host.token })).status).toBe(404);

    const author = await lab.app.visitAs(host, '/settings/reports');
    const removed = author.getByRole('article', { name: 'Removed' });
    await removed.getByText('Hatred.').waitFor();
    await removed.getByRole('button', { name: 'Appeal' }).click();
    const dialog = author.getByRole('dialog', { name: 'Appeal' });
    await dialog.getByText('the outcome appears here', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Send the appeal' }).click();
    await expect.poll(() => dialog.getByLabel('Why is the decision wrong?').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Why is the decision wrong?').fill('We only cooked.');
    expect(await findings(author)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send the appeal' }).click();
    await removed.getByText('A moderator has not decided yet.', { exact: false }).waitFor();
    // The button that had the focus was removed.
    const heading = author.getByRole('heading', { level: 2, name: 'Decisions' });
    await expect.poll(() => heading.and(author.locator(':focus')).count()).toBe(1);
    expect(await removed.getByRole('button', { name: 'Appeal' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Appeals' }).click();
    await page.getByRole('table').getByRole('link', { name: 'Room' }).click();
    await page.getByRole('heading', { level: 1, name: 'Room: case' }).waitFor();
    const form = page.getByRole('region', { name: 'Decide' });
    await form.getByText('We only cooked.').waitFor();
    expect(await page.getByRole('radio', { name: 'Remove' }).count()).toBe(0);
    await form.getByRole('radio', { name: 'Restore' }).check();
    await form.getByLabel('Reasons for the author').fill('We were wrong.');
    await form.getByRole('button', { name: 'Decide' }).click();
    await page.waitForURL('**/moderation?state=APPEALED');
    // The author's page is updated by the event.
    await removed.getByText('Your appeal was decided', { exact: false }).waitFor();
    await removed.getByText('granted', { exact: false }).waitFor();
    await author.getByRole('article', { name: 'Restored' }).getByText('We were wrong.').waitFor();
  });

  test('an agent that waits for approval is approved', async () => {
    const { id } = await reported('Waiting');
    await lab.app.db.query(`update agents set moderation_state = 'in_review' where id = $1`, [id]);
    const page = await lab.app.visitAs(lab.app.moderator, `/moderation/agent/${id}`);
    await page.getByRole('main').getByText('Waiting for approval').waitFor();
    await page.getByRole('radio', { name: 'Approve' }).check();
    await page.getByLabel('Reasons for the author').fill('Fine.');
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.waitForURL('**/moderation');
    expect((await caseOf(id)).subject.state).toBe('ok');
  });

  test('a message of a room is reported on it, shown with those around it, and erased', async () => {
    const room = await createRoom(lab.app, { people: 1 });
    const [host, member] = room.people as [Account, Account];
    await room.post(host, 'Good morning.');
    const { message } = await room.post(host, 'You are all fools.');
    const reader = await lab.app.visitAs(member, `/rooms/${room.id}`);
    const said = reader.getByRole('article').filter({ hasText: 'You are all fools.' });
    await said.hover();
    await said.getByRole('button', { name: 'Report this message' }).click();
    await reader.getByRole('dialog', { name: 'Report' }).getByRole('button', { name: 'Send the report' }).click();
    await reader.getByText('Thank you. Moderators will review it.').waitFor();
    const page = await lab.app.visitAs(lab.app.moderator, `/moderation/room_message/${message.id}`);
    const about = page.getByRole('region', { name: 'Reported content' });
    await about.getByText('You are all fools.', { exact: false }).waitFor();
    await about.getByText('Good morning.', { exact: false }).waitFor();
    await page.getByRole('radio', { name: 'Remove' }).check();
    await page.getByLabel('Reasons for the author').fill('An insult.');
    await page.getByRole('button', { name: 'Decide' }).click();
    const question = page.getByRole('alertdialog', { name: 'Erase this message permanently?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL('**/moderation');
    await said.waitFor({ state: 'detached' });
  });

  test('features an agent, and stops it, on its page and in the list', async () => {
    const { id } = await reported('Chosen');
    const page = await lab.app.visitAs(lab.app.moderator, `/marketplace/${id}`);
    await page.getByRole('button', { name: 'Feature', exact: true }).click();
    await page.getByRole('button', { name: 'Stop featuring' }).waitFor();
    const visitor = await lab.app.visit('/marketplace');
    await visitor.getByRole('region', { name: 'Featured' }).getByRole('link', { name: 'Chosen' }).waitFor();
    await go(page, '/moderation/featured');
    await page.getByRole('button', { name: 'Stop featuring: Chosen', exact: true }).click();
    await page.getByRole('button', { name: 'Feature: Chosen', exact: true }).waitFor();
    await visitor.reload();
    await visitor.getByRole('region', { name: 'New' }).waitFor();
    expect(await visitor.getByRole('region', { name: 'Featured' }).count()).toBe(0);
    await go(page, '/agents');
    await go(page, '/moderation/featured');
    await page.getByRole('heading', { name: 'No agent is featured' }).waitFor();
  });

  test('shows commands of the API that work with an access token', async () => {
    const { id } = await reported('By command');
    const page = await lab.app.visitAs(lab.app.moderator, '/moderation');
    for (const [path, field] of [
      ['/moderation?state=CLOSED', 'data'],
      [`/moderation/agent/${id}`, 'case'],
    ] as const) {
      await go(page, path);
      await page.getByRole('button', { name: 'The same with the API' }).click();
      const command = await page.locator('pre[aria-label=Command]').innerText();
      expect(command).toContain('Bearer $TOKEN');
      const [, url = ''] = /(\/v1[^\s']*)/.exec(command) ?? [];
      expect((await lab.app.call('GET', url, { as: lab.app.moderator.token })).body).toHaveProperty(field);
    }
  });
});
