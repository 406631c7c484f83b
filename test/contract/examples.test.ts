import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { snakeCase } from '../../src/core/wire.ts';
import { features } from '../../src/app/features.ts';
import { isId, isUuid } from '../../src/core/ids.ts';

interface Field {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  examples?: unknown[];
  default?: unknown;
}

const { components, paths } = JSON.parse(readFileSync(new URL('../../rest/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, { properties?: Record<string, Field> }> };
  paths: Record<string, Record<string, { parameters?: { name?: string; schema?: Field }[] }>>;
};

const fields: [string, Field][] = [
  ...Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, schema]): [string, Field] => [`${name}.${field}`, schema]),
    ),
  ...Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters.flatMap(({ name, schema }): [string, Field][] => (schema ? [[`${path} ${name}`, schema]] : [])),
    ),
  ),
];

const speaksForItself = ({ type, enum: values, format }: Field): boolean =>
  type === undefined || values !== undefined || format === 'binary' || [type].flat().some((name) => self.has(name));
const self = new Set(['boolean', 'array']);

test('every field and parameter of the OpenAPI document has a valid example', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const wrong = fields
    .filter(([, schema]) => !speaksForItself(schema))
    .filter(([, schema]) => !schema.examples?.length || !schema.examples.every((value) => ajv.validate(schema, value)));
  expect(
    wrong.map(([place]) => place),
    'an example belongs in rest/openapi/openapi-examples.ts',
  ).toEqual([]);
});

test('defaults are documented with their wire values', () => {
  const words = fields.filter(([, schema]) => schema.enum).map(([place, { default: usual }]) => [place, usual]);
  expect(Object.fromEntries(words)).toMatchObject({
    '/v1/agents sort': 'created_at',
    '/v1/agents/explore sort': 'popular',
    '/v1/conversations/{conversation_id}/export format': 'markdown',
  });
  expect(JSON.stringify(paths)).not.toMatch(/Default [A-Z_]{2,}/);
});

const idPrefixes = Object.fromEntries(
  features
    .flatMap((feature) => Object.entries(feature.idPrefixes ?? {}))
    .map(([kind, prefix]) => [snakeCase(kind), prefix]),
);

test('examples of ids have the prefix of their kind', () => {
  const wrong = fields.flatMap(([place, { examples = [] }]) => {
    const [, name = ''] = /([a-z_]+)_id$/.exec(place) ?? [];
    const prefix = idPrefixes[name];
    const isOne = (text: string) => (name === 'agent' ? isUuid(text) : prefix === undefined || isId(prefix, text));
    return examples.every((example) => isOne(String(example))) ? [] : [place];
  });
  // Ids of the platforms, of the payment processor, and of a message in a room.
  const others = ['TestResult.message_id', 'Checkout.session_id', 'RoomTurn.message_id'];
  expect(wrong.filter((place) => !others.includes(place))).toEqual([]);
});
