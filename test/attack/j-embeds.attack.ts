import { createOwner, createRandomIds } from '../contract/authorisation-seed.ts';
import { allOperations, perform, transportsOf } from '../contract/operation-caller.ts';
import { operationTable } from '../contract/operation-table.ts';
import { expectStatus } from '../support/client.ts';
import { site } from '../support/embeds.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const owner = await createOwner(lab.open);
const nothing = createRandomIds();

const newToken = async (): Promise<string> => {
  const body = { embed_id: owner.its.embedId, parent_origin: site };
  return expectStatus(await lab.open.call('POST', '/v1/embed/sessions', { body }), 200).body.visitor_token;
};
const say = (as: string, content: string, service = lab.open) =>
  service.call('POST', '/v1/embed/messages', { as, body: { content } });

attack('A152', 'every operation over REST and GraphQL with the token of a visitor', async (score) => {
  const token = await newToken();
  const cells = allOperations().flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));
  await score.each(
    cells.filter(({ operation }) => operation.access !== 'public'),
    async ({ operation, via }) => {
      const args = operationTable[operation.name]?.args?.(nothing, owner) ?? {};
      const { code } = await perform(lab.open, operation, via, token, args);
      return code === 'unauthenticated' ? null : `${operation.name} over ${via}: ${code ?? 'success'}`;
    },
  );
});

attack('A152', 'the routes of visitors with every other credential, on both instances', async (score) => {
  const { key } = expectStatus(
    await lab.open.call('POST', '/v1/auth/api-keys', {
      as: owner.token,
      body: { name: 'all', scopes: ['embeds:write', 'conversations:write'] },
    }),
    201,
  ).body;
  const credentials = [owner.token, owner.refreshToken, key, `vt1_${'A'.repeat(43)}`, `${await newToken()}x`];
  const routes = [
    ['GET', '/v1/embed/messages'],
    ['POST', '/v1/embed/messages'],
    ['POST', '/v1/embed/messages/stream'],
    ['POST', '/v1/embed/messages/stop'],
    ['DELETE', '/v1/embed/conversation'],
  ] as const;
  await score.each(
    credentials.flatMap((as) =>
      routes.flatMap(([method, path]) => [lab.open, lab.open.other].map((on) => ({ as, method, path, on }))),
    ),
    async ({ as, method, path, on }) => {
      const { status } = await on.call(method, path, { as, ...(method === 'POST' ? { body: { content: 'Hi' } } : {}) });
      return status === 401 ? null : `${method} ${path}: ${status}`;
    },
  );
});

attack('A153', 'a new visitor for each of 60 messages, on two instances at once', async (score) => {
  const tokens = await Promise.all(Array.from({ length: 60 }, newToken));
  const answers = await Promise.all(
    tokens.map((token, i) => say(token, `Hello ${i}`, i % 2 ? lab.open : { ...lab.open, ...lab.open.other })),
  );
  score.tried(answers.length);
  const accepted = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 429).length;
  await score.each([[accepted, refused]], async ([yes = 0, no = 0]) =>
    yes === 30 && no === 30 ? null : `${yes} accepted, ${no} refused`,
  );
  const own = await lab.open.call('POST', `/v1/conversations/${owner.its.conversationId}/messages`, {
    as: owner.token,
    body: { content: 'My own message' },
  });
  await score.each([own.status], async (status) => (status === 201 ? null : `the owner’s own message: ${status}`));
});
