import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../rest/openapi/openapi.ts';
import { project } from '../../rest/projection/projection.ts';

test('REST repeats the deprecations of GraphQL with their reasons', () => {
  const schema = buildSchema(`
    type Query { thing(old: Int @deprecated(reason: "Say new."), id: ID!): Thing @deprecated(reason: "Ask for things.") }
    type Mutation { makeThing(input: ThingInput!): Thing }
    type Thing { "Its name." name: String @deprecated(reason: "Read title.") title: String }
    input ThingInput { name: String @deprecated(reason: "Give title.") title: String }`);
  for (const type of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(type?.getFields() ?? {})) field.extensions = { access: 'public' };
  const row = { status: 200, tag: 'Things', summary: 'Things' } as const;
  const { operations } = project(
    schema,
    [
      { ...row, method: 'GET', path: '/things/:id', operation: 'Query.thing' },
      { ...row, method: 'POST', path: '/things', operation: 'Mutation.makeThing', body: 'input' },
    ],
    {},
  );
  const document = JSON.parse(JSON.stringify(openApiDocument(operations)));
  const { get } = document.paths['/v1/things/{id}'];
  expect(get).toMatchObject({ deprecated: true, description: expect.stringContaining('Ask for things.') });
  expect(get.parameters).toMatchObject([{ name: 'id' }, { name: 'old', deprecated: true }]);
  expect(document.paths['/v1/things'].post.deprecated).toBeUndefined();
  const { Thing, ThingInput } = document.components.schemas;
  expect(Thing.properties.name).toMatchObject({ deprecated: true, description: 'Its name. Deprecated: Read title.' });
  expect(ThingInput.properties.name).toMatchObject({ deprecated: true, description: 'Deprecated: Give title.' });
  expect(Thing.properties.title.deprecated).toBeUndefined();
});
