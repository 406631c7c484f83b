import { createOwner, createRandomIds } from '../contract/authorisation-seed.ts';
import {
  allOperations,
  type Operation,
  type Outcome,
  perform,
  type Transport,
  transportsOf,
} from '../contract/operation-caller.ts';
import { type Args, type Belongings, operationTable } from '../contract/operation-table.ts';
import { routes } from '../../rest/routes/routes.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const operations = allOperations();
const [nothing, others] = [createRandomIds(), createRandomIds()];
const lab = openLab();
const [a, b] = await Promise.all([createOwner(lab.open), createOwner(lab.open)]);

/** Values for arguments other than ids; each operation is refused before they matter. */
const person = {
  email: 'a@example.com',
  password: 'none',
  refreshToken: 'rt_none',
  roomToken: 'none',
  invitee: 'none',
};

interface Cell {
  operation: Operation;
  via: Transport;
}

const cells: Cell[] = operations.flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));

const argsOf = ({ name }: Operation, its: Belongings): Args => operationTable[name]?.args?.(its, person) ?? {};

const namesAnId = ({ operation }: Cell) =>
  JSON.stringify(argsOf(operation, nothing)) !== JSON.stringify(argsOf(operation, others));

const withIds = cells.filter(namesAnId);

const said = (text: string, its: Belongings): string =>
  Object.values(its).reduce((rest, id) => rest.replaceAll(id, 'ID'), text);

const ask = ({ operation, via }: Cell, its: Belongings, i = 0): Promise<Outcome> =>
  perform(i % 2 ? lab.open : lab.open.other, operation, via, a.token, argsOf(operation, its));

const label = ({ operation, via }: Cell) => `${operation.name} over ${via}`;

attack(
  'A22',
  "every operation that takes an id, with B's ids as A and with unknown ids, over REST and GraphQL on both instances",
  async (score) => {
    await score.each(
      withIds.flatMap((cell) => [0, 1].map((i) => Object.assign([label(cell)], { cell, i }))),
      async ({ cell, i }) => {
        const [theirs, nothings] = await Promise.all([ask(cell, b.its, i), ask(cell, nothing, i)]);
        if (said(theirs.said, b.its) !== said(nothings.said, nothing))
          return `told apart: ${theirs.said} ${nothings.said}`;
        const denial = operationTable[cell.operation.name]?.denial ?? 'not_found';
        return theirs.code === denial ? null : (theirs.code ?? 'success');
      },
    );
  },
);

attack('A22', "every path of /v1 with B's ids as A and with unknown ids, with each method", async (score) => {
  const paths = [...new Set(routes.map(({ path }) => path))].filter((path) => path.includes(':'));
  const fill = (path: string, its: Belongings): string =>
    path.replaceAll(/:([a-z_]+)/g, (_all, parameter: string) => idFor(path, parameter, its));
  await score.each(
    paths.flatMap((path) => ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST'].map((method) => [method, path] as const)),
    async ([method, path]) => {
      const call = async (its: Belongings) => {
        const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : { body: { limit: 1 } };
        const answer = await lab.open.call(method, `/v1${fill(path, its)}`, { as: a.token, ...body });
        return { status: answer.status, text: said(JSON.stringify(answer.body), its) };
      };
      const [theirs, nothings] = [await call(b.its), await call(nothing)];
      // Undoing an action that never happened is a no-op, whatever the id.
      const isTakenBack = method === 'DELETE' && path.startsWith('/social/');
      if (theirs.status < 400 && !isTakenBack) return `${theirs.status}`;
      return theirs.status === nothings.status && theirs.text === nothings.text
        ? null
        : `told apart: ${theirs.text} ${nothings.text}`;
    },
  );
});

attack('A22 A26', 'a comparison of everything that B owns, before and after', async (score) => {
  const paths = [
    '/v1/auth/me',
    '/v1/agents',
    '/v1/conversations',
    '/v1/webhooks',
    '/v1/integrations',
    '/v1/auth/api-keys',
    `/v1/knowledge/${b.its.agentId}/documents`,
  ];
  const totals = [undefined, 2, 1, 1, 1, 1, 1];
  await score.each(
    paths.map((path, i) => [path, totals[i]] as const),
    async ([path, total]) => {
      const { status, body } = await lab.open.call('GET', path, { as: b.token });
      const count = body.total ?? body.data?.length;
      return status === 200 && (total === undefined || count === total) ? null : `${status}, ${count} of them`;
    },
  );
});

/** Returns the id for the parameter of a path. */
function idFor(path: string, parameter: string, its: Belongings): string {
  const named = parameter.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  if (named !== 'id') return its[named as keyof Belongings] ?? '';
  const kinds: [string, keyof Belongings][] = [
    ['/agents', 'agentId'],
    ['/conversations', 'conversationId'],
    ['/webhooks', 'webhookId'],
    ['/integrations', 'integrationId'],
    ['/auth/api-keys', 'apiKeyId'],
    ['/auth/sessions', 'sessionId'],
    ['/auth/export-data', 'exportId'],
    ['/studio/experiments', 'experimentId'],
    ['/images', 'imageId'],
    ['/embeds', 'embedId'],
    ['/rooms', 'roomId'],
    ['/marketplace/agents', 'agentId'],
    ['/marketplace/reviews', 'reviewId'],
    ['/moderation/decisions', 'decisionId'],
    ['/social/shares', 'shareId'],
  ];
  const kind = kinds.find(([start]) => path.startsWith(start));
  if (!kind) throw new Error(`${path}: the kind of its id is unknown`);
  return its[kind[1]];
}

attack('A26', 'every list and count that A can ask for, searched for what is B’s', async (score) => {
  const lists = cells.filter(
    ({ operation }) => operation.name.startsWith('Query.') && !namesAnId({ operation, via: 'rest' }),
  );
  const theirs = Object.values({ ...b.its, publicAgentId: '', accountId: '' }).filter((id) => id !== '');
  const bodies: [string, () => Promise<string>][] = [
    // Unfiltered and with a search word: one may reveal what the other omits.
    ...routes
      .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
      .flatMap(({ path }) => ['?limit=100', '?limit=100&q=hello'].map((query) => path + query))
      .map(
        (path) =>
          [path, async () => JSON.stringify((await lab.open.call('GET', `/v1${path}`, { as: a.token })).body)] as [
            string,
            () => Promise<string>,
          ],
      ),
    ...lists.map(
      (cell) => [label(cell), async () => (await ask(cell, nothing)).said] as [string, () => Promise<string>],
    ),
  ];
  await score.each(bodies, async ([, get]) => {
    const text = await get();
    return theirs.find((id) => text.includes(id)) ?? (text.includes(b.email) ? b.email : null);
  });
  const counts: [string, string][] = [
    ['/v1/agents', 'select count(*) from agents where owner_id = $1'],
    ['/v1/conversations', 'select count(*) from conversations where user_id = $1'],
    ['/v1/webhooks', 'select count(*) from webhooks where user_id = $1'],
    ['/v1/integrations', 'select count(*) from integrations where owner_id = $1'],
    ['/v1/auth/audit-log', 'select count(*) from audit_events where user_id = $1'],
  ];
  await score.each(counts, async ([path, statement]) => {
    const { body } = await lab.open.call('GET', path, { as: a.token });
    const { rows } = await lab.open.db.query(statement, [a.id]);
    return body.total === Number(rows[0].count) ? null : `${body.total} instead of ${rows[0].count}`;
  });
});

attack('A30', "ids next to B's, in other spellings, and of other kinds", async (score) => {
  const { conversationId, agentId, webhookId } = b.its;
  const uuid = agentId;
  const near = Array.from({ length: 200 }, (_, i) => {
    const digits = (BigInt(`0x${uuid.replaceAll('-', '')}`) + BigInt(i - 100)).toString(16).padStart(32, '0');
    return [8, 13, 18, 23].reduce((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits);
  });
  const spellings = [
    uuid,
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    `${uuid}%00`,
    `${uuid}%20`,
    `${uuid}.json`,
    `${uuid};x=1`,
    '1',
    '0',
    '-1',
    '*',
    '%',
    '_',
    'null',
    'undefined',
    '[]',
    "' or 1=1--",
    conversationId,
    webhookId,
  ];
  await score.each([...near, ...spellings], async (id) => {
    const { status } = await lab.open.call('GET', `/v1/agents/${encodeURIComponent(id).replaceAll('%25', '%')}`, {
      as: a.token,
    });
    return [400, 404].includes(status) ? null : `${status}`;
  });
});
