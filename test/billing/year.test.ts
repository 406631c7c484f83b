import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { createTestClock } from '../support/clock.ts';
import { processorOf } from './billing-client.ts';

interface Invoice {
  number: string;
  amount: number;
  status: string;
  period_start: string;
  period_end: string;
  paid_at: string;
}

test('a year of renewals produces thirteen exact invoices with contiguous periods', async () => {
  const clock = createTestClock(new Date('2027-01-31T10:20:30.000Z'));
  const app = await startTestApp({ clock });
  const processor = processorOf(app);
  const { token } = await app.signUp();
  await processor.subscribe(token);
  for (let week = 0; week < 53; week++) {
    await processor.advance(7);
    const { body } = await app.call('GET', '/v1/billing/usage', { as: token });
    expect(body.plan).toBe('plus');
  }
  const { body } = await app.call('GET', '/v1/billing/invoices?limit=100', { as: token });
  const invoices = (body.data as Invoice[]).toReversed();
  expect(body.total).toBe(13);
  expect(invoices.map(({ amount, status }) => `${amount} ${status}`)).toEqual(Array(13).fill('1200 paid'));
  expect(invoices.map(({ period_start }) => period_start)).toEqual(
    [
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-31',
      '2027-08-31',
      '2027-09-30',
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
    ].map((day) => `${day}T10:20:30.000Z`),
  );
  expect(invoices.slice(1).map(({ period_start }) => period_start)).toEqual(
    invoices.slice(0, -1).map(({ period_end }) => period_end),
  );
  const numbers = invoices.map(({ number }) => /^[0-9A-Z]+-(\d{4}-\d{4})$/.exec(number)?.[1]);
  expect([numbers[0], numbers[11], numbers[12]]).toEqual(['2027-0001', '2027-0012', '2028-0013']);
  const second = await app.call('GET', '/v1/billing/invoices?limit=5&offset=10', { as: token });
  expect([second.body.data.length, second.body.total, second.body.offset]).toEqual([3, 13, 10]);
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x']) {
    expect((await app.call('GET', `/v1/billing/invoices?${query}`, { as: token })).status).toBe(400);
  }
  await app.close();
});

test('a yearly plan costs ten months and can be downgraded only for the next year', async () => {
  const clock = createTestClock(new Date('2028-02-29T00:00:00.000Z'));
  const app = await startTestApp({ clock });
  const processor = processorOf(app);
  const { token } = await app.signUp();
  await processor.subscribe(token, { plan: 'pro', interval: 'year' });
  const change = await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'plus' } });
  expect(change.body).toMatchObject({ interval: 'year', effective_at: '2029-02-28T00:00:00.000Z' });
  await processor.advance(364);
  expect((await app.call('GET', '/v1/billing/subscription', { as: token })).body.plan).toBe('pro');
  await processor.advance(2);
  const { body } = await app.call('GET', '/v1/billing/subscription', { as: token });
  expect(body).toMatchObject({ plan: 'plus', interval: 'year', current_period_end: '2030-02-28T00:00:00.000Z' });
  const invoices = (await app.call('GET', '/v1/billing/invoices', { as: token })).body.data as Invoice[];
  expect(invoices.map(({ amount }) => amount)).toEqual([12_000, 30_000]);
  await app.close();
});
