import { randomUUID } from 'node:crypto';
import { createAgent, type Person, until } from '../person.ts';
import type { World } from '../world.ts';

/** Creates, tests, rotates and deletes a webhook, and checks its deliveries. */
export async function hook(world: World, person: Person): Promise<void> {
  const as = person.token;
  const path = `/one/${randomUUID()}`;
  const secret = `secret-of-${path}`;
  world.receiver.trust(path, secret);
  const url = world.receiver.url(path);
  const made = await person.call('POST /webhooks', { as, body: { url, events: ['agent.created'], secret } });
  const id: string = made.body.id;
  const [params, deeper] = [{ id }, { webhook_id: id }];
  await person.call('GET /webhooks', { as });
  await person.call('PUT /webhooks/:id', { as, params, body: { events: ['agent.created', 'agent.deleted'] } });
  await person.call('POST /webhooks/:webhook_id/test', { as, params: deeper, body: { event_type: 'agent.created' } });
  const agentId = await createAgent(person);
  const delivery = await until(world, 'a delivery', async () => {
    const { body } = await person.call('GET /webhooks/:webhook_id/deliveries', {
      as,
      params: deeper,
      query: { status: 'delivered', limit: 1 },
    });
    return body.data[0];
  });
  await person.call('GET /webhooks/:webhook_id/deliveries/:id', { as, params: { ...deeper, id: delivery.id } });
  await person.call('POST /webhooks/:webhook_id/deliveries/:delivery_id/redeliver', {
    as,
    params: { ...deeper, delivery_id: delivery.id },
  });
  const { body: rotated } = await person.call('POST /webhooks/:id/rotate-secret', { as, params });
  world.receiver.trust(path, rotated.secret);
  const since = new Date(Date.now() - 600_000).toISOString();
  await person.call('POST /webhooks/:webhook_id/deliveries/recover', { as, params: deeper, body: { since } });
  await person.call('GET /webhooks/:id/stats', { as, params });
  await person.call('GET /webhooks/:id', { as, params });
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
  await person.call('DELETE /webhooks/:id', { as, params, whenRepeated: [404] });
}
