import { expectRefused, type Person } from '../person.ts';
import type { World } from '../world.ts';

/** Creates, uses, rotates and revokes a key, and checks that every instance refuses it at once. */
export async function useKeys(world: World, person: Person): Promise<void> {
  const as = person.token;
  const body = { name: 'soak', scopes: ['agents:read', 'conversations:read'] };
  const { body: first } = await person.call('POST /auth/api-keys', { as, body });
  await person.call('GET /agents', { as: first.key });
  await person.call('POST /agents', { as: first.key, body: { name: 'No', instructions: 'No.' }, accept: [403] });
  const rotation = { as, params: { id: first.id }, body: { overlap_seconds: 0 } };
  const { body: second } = await person.call('POST /auth/api-keys/:id/rotate', rotation);
  await expectRefused(world, person, first.key);
  await person.call('GET /conversations', { as: second.key });
  await person.call('GET /auth/api-keys', { as });
  await person.call('DELETE /auth/api-keys/:id', { as, params: { id: second.id }, whenRepeated: [404] });
  await expectRefused(world, person, second.key);
}
