import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { snakeCase } from '../../src/core/wire.ts';
import { isId, type IdKind, idPrefixes } from '../../src/core/ids.ts';

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

test('every field and parameter of the OpenAPI document has an example that is what it may be', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const wrong = fields
    .filter(([, schema]) => !speaksForItself(schema))
    .filter(([, schema]) => !schema.examples?.length || !schema.examples.every((value) => ajv.validate(schema, value)));
  expect(
    wrong.map(([place]) => place),
    'an example belongs into rest/openapi-examples.ts',
  ).toEqual([]);
});

test('what is taken by default is said as REST spells it', () => {
  const words = fields.filter(([, schema]) => schema.enum).map(([place, { default: usual }]) => [place, usual]);
  expect(Object.fromEntries(words)).toMatchObject({
    '/v1/agents sort': 'created_at',
    '/v1/agents/explore sort': 'popular',
    '/v1/conversations/{conversation_id}/export format': 'markdown',
  });
  expect(JSON.stringify(paths)).not.toMatch(/Default [A-Z_]{2,}/);
});

test('an example of an id is one of its kind', () => {
  const wrong = fields.flatMap(([place, { examples = [] }]) => {
    const [, name = ''] = /([a-z_]+)_id$/.exec(place) ?? [];
    const kind = Object.keys(idPrefixes).find((known) => snakeCase(known) === name) as IdKind | undefined;
    return kind && !examples.every((example) => isId(kind, String(example))) ? [place] : [];
  });
  // Ids of the platforms and of the processor.
  expect(wrong.filter((place) => !['TestResult.message_id', 'Checkout.session_id'].includes(place))).toEqual([]);
});
