import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { exampleEvent } from '../../rest/openapi/events-page.ts';
import { openApiDocument } from '../../rest/openapi/openapi.ts';
import { withEvents } from '../../rest/openapi/openapi-events.ts';
import { project } from '../../rest/projection/projection.ts';
import { routes, shapes } from '../../rest/routes/routes.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';
import { catalog } from '../../src/app/features.ts';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}

interface Document {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>;
  components: { schemas: Record<string, Schema> };
}

let document: Document;
let ajv: Ajv2020;

beforeAll(() => {
  document = withEvents(openApiDocument(project(buildGraphqlSchema(), routes, shapes).operations)) as never;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
});

test('the OpenAPI document has a webhook for every event', () => {
  expect(Object.keys(document.webhooks)).toEqual([...catalog.eventTypes]);
});

test.each(catalog.eventTypes)('the schema of %s matches its deliveries and no other event', (type) => {
  const { $ref = '' } = document.webhooks[type]!.post.requestBody.content['application/json'].schema;
  const isValid = ajv.compile({ $ref: `openapi${$ref}` });
  const event = exampleEvent(type) as { data: object };
  expect([isValid(event), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...event, data: {} })).toBe(false);
  for (const other of catalog.eventTypes) expect(isValid(exampleEvent(other))).toBe(other === type);
  const isEvent = ajv.compile({ $ref: 'openapi#/components/schemas/WebhookEvent' });
  expect(isEvent(event)).toBe(true);

  const schema = document.components.schemas[$ref.split('/').at(-1) ?? '']!;
  const known = Object.keys(propertiesOf(schema.properties!['data']!));
  expect(Object.keys(event.data).filter((field) => !known.includes(field))).toEqual([]);
});

const propertiesOf = ({ $ref, allOf = [], properties = {} }: Schema): Record<string, Schema> =>
  Object.assign(
    {},
    properties,
    ...allOf.map(propertiesOf),
    $ref ? propertiesOf(document.components.schemas[$ref.split('/').at(-1) ?? '']!) : {},
  );
