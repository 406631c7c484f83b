import { randomUUID } from 'node:crypto';
import { createAgent, type Person } from '../person.ts';
import type { World } from '../world.ts';

/** Versions of an agent, its figures, and two experiments: one is stopped, one concluded. */
export async function improve(_world: World, person: Person): Promise<void> {
  const as = person.token;
  const agentId = await createAgent(person, { name: 'Candidate', is_public: true });
  const params = { agent_id: agentId };
  const draft = { instructions: `You are Ada. Ask first. ${randomUUID()}`, note: 'Asks first' };
  const { body: second } = await person.call('POST /studio/agents/:agent_id/versions', { as, params, body: draft });
  const { body: versions } = await person.call('GET /studio/agents/:agent_id/versions', { as, params });
  const live = versions.data.find(({ is_live: isLive }: { is_live: boolean }) => isLive).id;
  await person.call('GET /studio/agents/:agent_id/versions/:version_id', {
    as,
    params: { ...params, version_id: second.id },
    query: { compare_to: live },
  });
  await person.call('GET /studio/agents/:agent_id/analytics', { as, params, query: { by: 'version' } });
  await person.call('GET /studio/analytics', { as, query: { granularity: 'week' } });
  await person.call('GET /studio/agents/:agent_id/feedback', { as, params });

  const variants = [
    { key: 'a', version_id: live, weight: 50 },
    { key: 'b', version_id: second.id, weight: 50 },
  ];
  const begin = async (): Promise<string> => {
    const body = { name: 'Ask first', variants };
    const { body: made } = await person.call('POST /studio/agents/:agent_id/experiments', { as, params, body });
    const id = { id: made.id };
    await person.call('PUT /studio/experiments/:id', { as, params: id, body: { ...body, hypothesis: 'It helps.' } });
    await change('start', made.id);
    return made.id;
  };
  const change = (step: string, id: string, body: object = {}) =>
    person.call(`POST /studio/experiments/:id/${step}`, { as, params: { id }, body, whenRepeated: [409] });
  const stopped = await begin();
  await change('pause', stopped);
  await change('resume', stopped);
  await person.call('GET /studio/experiments/:id/results', { as, params: { id: stopped } });
  await change('stop', stopped);
  await person.call('DELETE /studio/experiments/:id', { as, params: { id: stopped }, whenRepeated: [404] });
  const concluded = await begin();
  await person.call('GET /studio/experiments/:id', { as, params: { id: concluded } });
  await person.call('GET /studio/agents/:agent_id/experiments', { as, params });
  await change('conclude', concluded, { version_id: second.id });
  await person.call('POST /studio/agents/:agent_id/versions/:version_id/publish', {
    as,
    params: { ...params, version_id: live },
  });
  await person.call('DELETE /agents/:id', { as, params: { id: agentId }, whenRepeated: [404] });
}
