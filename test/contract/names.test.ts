import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import openapi from '../../rest/openapi.json' with { type: 'json' };
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, succeed } from '../support/client.ts';

let service: TestApp;
let owner: Account;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestApp();
  owner = await service.signUp({ plan: 'creator' });
  const create = async (path: string, body: object): Promise<string> =>
    (await succeed(service, owner.token, 'POST', path, body)).id as string;
  ids['agent_id'] = (await service.createAgent(owner.token, { is_public: true })).id;
  ids['conversation'] = await create('/conversations', { agent_id: ids['agent_id'] });
  ids['room'] = await create('/rooms', { name: 'Room' });
  ids['embed'] = await create('/embeds', {
    agent_id: ids['agent_id'],
    name: 'Embed',
    allowed_origins: ['https://shop.example'],
  });
});
afterAll(() => service?.close());

/** The fields of an operation that hold a name: how to call it, and where its response has the name. */
interface Named {
  operation: string;
  path: () => string;
  body: (name: string) => object;
  shown: (body: Record<string, never>) => unknown;
}

const named = (operation: string, field: string, path: () => string, others: () => object = () => ({})): Named => ({
  operation: `${operation} ${field}`,
  path,
  body: (name) => ({ ...others(), ...(field.includes('.') ? { appearance: { title: name } } : { [field]: name }) }),
  shown: (body) => (field.includes('.') ? (body['appearance'] as unknown as { title: string }).title : body[field]),
});

const agent = () => ({ instructions: 'Be kind.', greeting_message: 'Hello.' });
const embed = () => ({ agent_id: ids['agent_id'], name: 'Embed', allowed_origins: ['https://shop.example'] });
const all: Named[] = [
  named('PUT /v1/auth/me', 'display_name', () => '/v1/auth/me'),
  named(
    'POST /v1/auth/api-keys',
    'name',
    () => '/v1/auth/api-keys',
    () => ({ scopes: ['agents:read'] }),
  ),
  named('POST /v1/agents', 'name', () => '/v1/agents', agent),
  named('PUT /v1/agents/{id}', 'name', () => `/v1/agents/${ids['agent_id']}`),
  named(
    'POST /v1/conversations',
    'title',
    () => '/v1/conversations',
    () => ({ agent_id: ids['agent_id'] }),
  ),
  named('PATCH /v1/conversations/{id}', 'title', () => `/v1/conversations/${ids['conversation']}`),
  named('POST /v1/rooms', 'name', () => '/v1/rooms'),
  named('PUT /v1/rooms/{id}', 'name', () => `/v1/rooms/${ids['room']}`),
  named('POST /v1/embeds', 'name', () => '/v1/embeds', embed),
  named('PUT /v1/embeds/{id}', 'name', () => `/v1/embeds/${ids['embed']}`),
  named('POST /v1/embeds', 'appearance.title', () => '/v1/embeds', embed),
  named('PUT /v1/embeds/{id}', 'appearance.title', () => `/v1/embeds/${ids['embed']}`),
  named(
    'POST /v1/social/shares',
    'title',
    () => '/v1/social/shares',
    () => ({ type: 'agent', agent_id: ids['agent_id'] }),
  ),
];
/** Experiments use the same schema; they need a second version and traffic. */
const elsewhere = ['POST /v1/studio/agents/{agent_id}/experiments name', 'PUT /v1/studio/experiments/{id} name'];

const call = ({ operation, path, body }: Named, name: string) =>
  service.call(operation.split(' ', 1)[0] ?? '', path(), { as: owner.token, body: body(name) });

describe('names and titles', () => {
  test('are all in this table', () => {
    expect(namesIn(openapi).toSorted()).toEqual([...all.map(({ operation }) => operation), ...elsewhere].toSorted());
  });

  test.each(all)('of $operation are one line without invisible characters', async (one) => {
    const answer = await call(one, ' A\u200bda\r\n\u2028 Cafe\u0301 ');
    expect(answer.status).toBeLessThan(300);
    expect(one.shown(answer.body)).toBe('Ada Caf\u00e9');
  });

  test.each(all)('of $operation must not reverse the text around them', async (one) => {
    const answer = await call(one, 'exe.\u202egpj');
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    const field = one.operation.split(' ').at(-1);
    expect(answer.body.error.details).toMatchObject([{ field, code: 'invalid_character' }]);
  });
});

describe('messages', () => {
  test.each(['\u200b', '\u2800 \u3164', '\u00ad\ufeff'])('need a visible character: %j', async (content) => {
    for (const path of [`/v1/conversations/${ids['conversation']}/messages`, `/v1/rooms/${ids['room']}/messages`])
      expect(await service.call('POST', path, { as: owner.token, body: { content } })).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'content', code: 'required' }] } },
      });
  });
});

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  [combined: string]: unknown;
}

/** Returns `METHOD path field` of every field of a request body that holds a name. */
function namesIn(document: { paths: object; components: { schemas: object } }): string[] {
  const schemas = document.components.schemas as Record<string, Schema>;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const fieldsOf = (schema: Schema, before: string): string[] => {
    const whole = resolved(schema);
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((kind) => (whole[kind] as Schema[] | undefined) ?? []);
    return [
      ...parts.flatMap((part) => fieldsOf(part, before)),
      ...Object.entries(whole.properties ?? {}).flatMap(([field, of]) => [
        ...(/^(?:name|title|display_name)$/.test(field) ? [`${before}${field}`] : []),
        ...fieldsOf(of, `${before}${field}.`),
      ]),
    ];
  };
  return Object.entries(document.paths as Record<string, Record<string, { requestBody?: unknown }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const content = (requestBody as { content?: Record<string, { schema: Schema }> } | undefined)?.content;
        const schema = content?.['application/json']?.schema;
        return schema ? fieldsOf(schema, '').map((field) => `${method.toUpperCase()} ${path} ${field}`) : [];
      }),
  );
}
