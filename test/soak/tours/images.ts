import { FormData } from 'undici';
import { picture } from '../../support/images.ts';
import { createAgent, type Person, until } from '../person.ts';
import type { World } from '../world.ts';

const photo = picture(640, 480, 'jpeg');

/** Uploads and makes images, shows them on an agent, reads what is served and deletes them. */
export async function illustrate(world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Painter' });
  const bytes = await photo;
  const form = () => {
    const made = new FormData();
    made.append('kind', 'avatar');
    made.append('file', new Blob([bytes]), 'photo.jpg');
    return made;
  };
  const uploaded = await person.call('POST /images/uploads', { as, form, accept: [429] });
  if (uploaded.status === 201) await show(world, person, agentId, uploaded.body.id);
  // The daily image quota may be used up before the soak ends.
  const body = { kind: 'avatar', agent_id: agentId };
  const accepted = await person.call('POST /images', { as, body, accept: [429] });
  if (accepted.status === 202) {
    const { id } = accepted.body.data[0];
    const image = await until(world, 'an image that is made', async () => {
      const answer = await person.call('GET /images/:id', { as, params: { id } });
      return answer.body.status === 'processing' ? null : answer.body;
    });
    if (image.status !== 'ready') world.findings.add('an image that was not made', `${id}: ${image.error?.code}`);
    else {
      await person.call('GET /images/:id/original', { as, params: { id } });
      await show(world, person, agentId, id);
    }
  }
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
}

/** Shows an image on the agent, reads it by its address, and deletes it. */
async function show(world: World, person: Person, agentId: string, id: string): Promise<void> {
  const as = person.token;
  const applied = await person.call('POST /images/:id/apply', { as, params: { id }, body: { agent_id: agentId } });
  const { pathname } = new URL(applied.body.urls.medium);
  const served = await person.attempt('GET', pathname);
  if (served && served.response.status === 200 && served.response.headers.get('content-type') !== 'image/webp')
    world.findings.add('an image that is served as something else', pathname);
  await served?.response.arrayBuffer().catch(served.lost);
  await person.call('GET /images', { as, query: { limit: 5 } });
  await person.call('DELETE /images/:id', { as, params: { id }, query: { force: 'true' }, whenRepeated: [404] });
  const after = await person.attempt('GET', pathname);
  if (after?.response.status === 200) world.findings.add('an image that is served after its deletion', pathname);
  await after?.response.arrayBuffer().catch(after.lost);
}
