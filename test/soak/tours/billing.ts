import { register, subscribe, until } from '../person.ts';
import type { Visitor } from '../visitor.ts';
import type { World } from '../world.ts';

/** A subscription from the first checkout through an upgrade and a downgrade to the cancellation. */
export async function pay(world: World, visitor: Visitor): Promise<void> {
  const person = await register(world, visitor);
  const as = person.token;
  await subscribe(world, person, 'plus');
  await person.call('GET /billing/plans');
  await person.call('GET /billing/limits', { as });
  await person.call('GET /billing/subscription/preview', { as, query: { plan: 'pro' } });
  // If the response was lost, the next request shows whether it took effect.
  const whenRepeated = [400, 409];
  await person.call('PUT /billing/subscription', { as, body: { plan: 'pro' }, whenRepeated });
  await until(world, 'the upgrade', async () => {
    const { body } = await person.call('GET /billing/subscription', { as });
    return body.plan === 'pro';
  });
  await person.call('PUT /billing/subscription', { as, body: { plan: 'plus' }, whenRepeated });
  await person.call('POST /billing/subscription/resume', { as });
  await until(world, 'the end of the downgrade', async () => {
    const { body } = await person.call('GET /billing/subscription', { as });
    return !body.pending_plan;
  });
  await person.call('POST /billing/portal', { as });
  const invoices = await until(world, 'the invoices', async () => {
    const { body } = await person.call('GET /billing/invoices', { as, query: { limit: 10 } });
    return body.total >= 1 ? body : null;
  });
  if (invoices.data.some(({ status }: { status: string }) => status !== 'paid'))
    world.findings.add('an invoice that is not paid', person.id);
  await person.call('GET /billing/usage', { as });
  await person.call('DELETE /billing/subscription', { as });
  await until(world, 'the cancellation', async () => {
    const { body } = await person.call('GET /billing/subscription', { as });
    return body.cancel_at !== null;
  });
}
