import { createOwner } from '../contract/authorisation-seed.ts';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const [a, b] = await Promise.all([createOwner(lab.open), createOwner(lab.open)]);

attack('A24', "B's private agent, and one that becomes private during a conversation", async (score) => {
  const privately = b.its.agentId;
  const tries: [string, string, unknown?][] = [
    ['GET', `/v1/agents/${privately}`],
    ['POST', '/v1/conversations', { agent_id: privately }],
    ['GET', `/v1/conversations?agent_id=${privately}`],
    ['POST', `/v1/knowledge/${privately}/query`, { query: 'refunds' }],
    ['POST', '/v1/integrations/chat_messenger', { agent_id: privately, bot_token: '1:x' }],
    ['PUT', `/v1/agents/${privately}`, { is_public: true }],
  ];
  await score.each(tries, async ([method, path, body]) => {
    const answer = await lab.open.call(method, path, { as: a.token, ...(body ? { body } : {}) });
    return answer.status === 404 || answer.body.total === 0 ? null : `${answer.status}`;
  });
  const agent = await lab.open.createAgent(b.token, { is_public: true, greeting_message: 'Hello.' });
  const { id } = expectStatus(
    await lab.open.call('POST', '/v1/conversations', { as: a.token, body: { agent_id: agent.id } }),
    201,
  ).body;
  expectStatus(
    await lab.open.call('POST', `/v1/conversations/${id}/messages`, { as: a.token, body: { content: 'Hi.' } }),
    201,
  );
  expectStatus(await lab.open.call('PUT', `/v1/agents/${agent.id}`, { as: b.token, body: { is_public: false } }), 200);
  await score.each(['messages', 'messages/stream'], async (rest) => {
    const answer = await lab.open.other.call('POST', `/v1/conversations/${id}/${rest}`, {
      as: a.token,
      body: { content: 'And now?' },
    });
    return answer.status === 404 ? null : `${answer.status}`;
  });
  expectStatus(await lab.open.call('GET', `/v1/conversations/${id}`, { as: a.token }), 200);
});

attack(
  'A25',
  "every response about B's public agent that A can get, searched for what only B may see",
  async (score) => {
    const canary = 'canary-instructions-7f3a';
    const agent = await lab.open.createAgent(b.token, {
      is_public: true,
      name: 'Publicly',
      instructions: `You are ${canary}.`,
      greeting_message: 'Hello.',
    });
    const form = new FormData();
    form.append('file', new Blob(['The canary-document-7f3a is yellow.']), 'notes.txt');
    expectStatus(await lab.open.call('POST', `/v1/knowledge/${agent.id}/documents`, { as: b.token, body: form }), 201);
    const conversation = expectStatus(
      await lab.open.call('POST', '/v1/conversations', { as: a.token, body: { agent_id: agent.id } }),
      201,
    ).body;
    const sent = async (service: string, path: string) =>
      JSON.stringify((await lab.open.call(service, path, { as: a.token })).body);
    const nested = '{ agent { id name instructions greetingMessage creatorId } }';
    const answers: [string, () => Promise<string>][] = [
      ['agent', () => sent('GET', `/v1/agents/${agent.id}`)],
      ['explore', () => sent('GET', '/v1/agents/explore?q=Publicly&sort=recent')],
      ['conversation', () => sent('GET', `/v1/conversations/${conversation.id}`)],
      ['its list', () => sent('GET', '/v1/conversations')],
      ['documents', () => sent('GET', `/v1/knowledge/${agent.id}/documents`)],
      [
        'query',
        async () =>
          JSON.stringify(
            (await lab.open.call('POST', `/v1/knowledge/${agent.id}/query`, { as: a.token, body: { query: 'canary' } }))
              .body,
          ),
      ],
      [
        'GraphQL',
        async () =>
          JSON.stringify(
            (await lab.open.graphql(`{ agent(id: "${agent.id}") { id name instructions } }`, { as: a.token })).body,
          ),
      ],
      [
        'GraphQL, nested',
        async () =>
          JSON.stringify(
            (await lab.open.graphql(`{ conversation(id: "${conversation.id}") ${nested} }`, { as: a.token })).body,
          ),
      ],
      [
        'GraphQL, in lists',
        async () =>
          JSON.stringify(
            (
              await lab.open.graphql(
                `{ conversations { data ${nested} } exploreAgents(q: "Publicly") { data { id instructions } } }`,
                { as: a.token },
              )
            ).body,
          ),
      ],
      ['export', () => sent('GET', `/v1/conversations/${conversation.id}/export`)],
    ];
    await score.each(answers, async ([, get]) => {
      const text = await get();
      return [canary, 'canary-document', b.email].find((secret) => text.includes(secret)) ?? null;
    });
  },
);
