import type { ServiceClient } from './service-client.ts';

export const moderatorEmail = 'moderator@example.com';

/** Other accounts with follows, likes, reports and an appeal. Returns what was reported. */
export async function seedModeration(
  client: ServiceClient,
  ada: { token: string; agentId: string },
  moderator: string,
): Promise<{ agentId: string; shareId: string }> {
  const names = ['ada.palmer', 'margaret.hamilton', 'mary.shelley'];
  const others = await Promise.all(names.map((name) => client.signUp(`${name}@example.com`, name)));
  const [palmer = ''] = others;
  const idOf = async (token: string) => (await client.call('GET', '/v1/auth/me', undefined, token)).id;
  const adaId = await idOf(ada.token);
  for (const token of others) {
    await client.call('PUT', `/v1/social/following/${adaId}`, {}, token);
    if (token !== others[2]) await client.call('PUT', `/v1/social/following/${await idOf(token)}`, {}, ada.token);
  }
  const doctor = await client.post(
    '/v1/agents',
    {
      name: 'Doctor House',
      description: 'Tells you what you have, and what to take for it.',
      greeting_message: 'I am a licensed physician. What hurts?',
      instructions: 'Be a doctor.',
      is_public: true,
    },
    palmer,
  );
  const sailor = { name: 'Sailor', description: 'Winds, knots and harbours.', instructions: 'Sail.', is_public: true };
  for (const { id } of [doctor, await client.post('/v1/agents', sailor, palmer)])
    await client.call('PUT', `/v1/social/likes/${id}`, {}, ada.token);
  const complain = (token: string, subject: object) => client.post('/v1/reports', subject, token);
  const about = { subject_type: 'agent', subject_id: doctor.id, reason: 'deception' };
  await complain(ada.token, { ...about, comment: 'It says that it is a licensed physician.' });
  await complain(others[1] ?? '', { ...about, comment: 'It told me to stop taking my tablets.' });
  await complain(others[2] ?? '', { ...about, reason: 'illegal' });
  const share = await client.post('/v1/social/shares', { type: 'agent', agent_id: ada.agentId }, ada.token);
  const shared = { subject_type: 'share', subject_id: share.id, reason: 'spam' };
  await complain(palmer, { ...shared, subject_id: share.url, comment: 'The third time today.' });
  const statement = 'The same link was posted many times within an hour.';
  const decision = await client.post('/v1/moderation/decisions', { ...shared, action: 'remove', statement }, moderator);
  const text = 'My class opens it every Monday at nine, all at once.';
  await client.post(`/v1/moderation/decisions/${decision.id}/appeal`, { text }, ada.token);
  return { agentId: doctor.id, shareId: share.id };
}
