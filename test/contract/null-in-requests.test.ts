import { getNamedType, getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import document from '../../rest/openapi.json' with { type: 'json' };
import { project } from '../../rest/projection/projection.ts';
import { rulesOf } from '../../rest/projection/validation.ts';
import { routes, shapes } from '../../rest/routes/routes.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';

type Path = (string | number)[];
type Property = { type?: string | string[]; anyOf?: { type?: string }[] };

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Lists the optional fields of an input, also those of inputs inside it, with the schema that contains each. */
const optionalFields = (type: GraphQLInputType, path: Path = []): { schema: string; field: string; path: Path }[] => {
  const input = getNamedType(type);
  if (!isInputObjectType(input)) return [];
  return Object.values(input.getFields()).flatMap((field) => {
    const here = [...path, camelCase(field.name)];
    const nullable = getNullableType(field.type);
    const inside = optionalFields(field.type, isListType(nullable) ? [...here, 0] : here);
    return nullable === field.type ? [{ schema: input.name, field: field.name, path: here }, ...inside] : inside;
  });
};

/** Returns a body with null at a path: `['variants', 0, 'name']` → `{ variants: [{ name: null }] }`. */
const nullAt = (path: Path): unknown =>
  path.reduceRight<unknown>((value, key) => (typeof key === 'number' ? [value] : { [key]: value }), null);

const rejectsNull = (rules: z.ZodType, path: Path): boolean =>
  rules
    .safeParse(nullAt(path), { reportInput: true })
    .error?.issues.some((issue) => issue.input === null && issue.path.join('.') === path.join('.')) ?? false;

const { schemas } = document.components as unknown as {
  schemas: Record<string, { properties: Record<string, Property> }>;
};

const documentsNull = (schema: string, field: string): boolean => {
  const { type, anyOf = [] } = schemas[schema]?.properties[field] ?? {};
  return [type, ...anyOf.map((choice) => choice.type)].flat().includes('null');
};

const { operations } = project(buildGraphqlSchema(), routes, shapes);

const fields = operations.flatMap(({ body }) => {
  const rules = body && rulesOf(body);
  if (!rules) return [];
  return optionalFields(body.type).map(({ schema, field, path }) => ({
    name: `${schema}.${field}`,
    documented: documentsNull(schema, field),
    accepted: !rejectsNull(rules, path),
  }));
});

test('OpenAPI allows null exactly in the fields of a request that accept it', () => {
  expect(fields.filter(({ accepted }) => accepted).length).toBeGreaterThan(50);
  expect(fields.filter(({ accepted }) => !accepted).length).toBeGreaterThan(50);
  expect(fields.filter(({ documented, accepted }) => documented !== accepted)).toEqual([]);
});

test.each([
  ['UpdateAgentInput', 'name', false],
  ['UpdateAgentInput', 'avatar_url', true],
  ['SendMessageInput', 'role', false],
  ['EmbedLimitsInput', 'per_day', false],
  ['CreateWebhookInput', 'description', true],
])('%s.%s: null is documented: %s', (schema, field, isNullable) => {
  expect(documentsNull(schema, field)).toBe(isNullable);
});
