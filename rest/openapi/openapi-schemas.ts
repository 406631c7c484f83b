import {
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
} from 'graphql';
import type { z } from 'zod';
import { rejectsNull, ruleOfField, ruleOfItem } from './input-rules.ts';
import type { JsonSchema } from './json-schema.ts';
import { exemplified } from './openapi-examples.ts';
import { valuesOf } from '../projection/projected-scalars.ts';

type AnyType = GraphQLInputType | GraphQLOutputType;

/** Collects the named schemas of projected types. */
export interface SchemaCollector {
  /** The schema of a type; a named one is a reference into `schemas`. */
  of(type: AnyType): JsonSchema;
  schemas: Record<string, JsonSchema>;
}

export const schemaCollector = (): SchemaCollector => {
  const schemas: Record<string, JsonSchema> = {};

  const of = (type: AnyType, rule?: z.ZodType): JsonSchema => {
    const schema = present(getNullableType(type), rule);
    // In GraphQL every optional field of an input is nullable; the rule tells whether the operation accepts null.
    return isNonNullType(type) || (rule && rejectsNull(rule)) ? schema : orNull(schema);
  };

  const present = (type: AnyType, rule?: z.ZodType): JsonSchema => {
    if (isListType(type)) return { type: 'array', items: of(type.ofType as AnyType, rule && ruleOfItem(rule)) };
    if (isObjectType(type)) return named(type.name, () => outputSchema(type));
    if (isInputObjectType(type)) return named(type.name, () => inputSchema(type, rule));
    return scalarSchema(type as GraphQLScalarType);
  };

  const named = (name: string, make: () => JsonSchema): JsonSchema => {
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const outputSchema = (type: GraphQLObjectType): JsonSchema => {
    const fields = Object.values(type.getFields());
    const absent = (field: (typeof fields)[number]): boolean => field.extensions.absentWhenNull === true;
    return {
      type: 'object',
      ...described(type.description),
      properties: Object.fromEntries(
        fields.map((field) => [
          field.name,
          // A field that is absent while null is never null.
          documented(
            exemplified(absent(field) ? present(getNullableType(field.type)) : of(field.type), type.name, field.name),
            field,
          ),
        ]),
      ),
      required: fields
        .filter((field) => !absent(field) && field.extensions.absentWithoutCredential !== true)
        .map((field) => field.name),
    };
  };

  const inputSchema = (type: GraphQLInputObjectType, rule?: z.ZodType): JsonSchema => {
    const rules = (type.extensions['rules'] as z.ZodType | undefined) ?? rule;
    const fields = Object.values(type.getFields());
    const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined);
    return {
      type: 'object',
      ...described(type.description),
      properties: Object.fromEntries(
        fields.map((field) => [
          field.name,
          {
            ...documented(
              exemplified(of(field.type, rules && ruleOfField(rules, field.name)), type.name, field.name),
              field,
            ),
            ...(field.defaultValue === undefined ? {} : { default: field.defaultValue }),
          },
        ]),
      ),
      ...(required.length > 0 ? { required: required.map((field) => field.name) } : {}),
    };
  };

  return { of, schemas };
};

/** The schema of a scalar, its allowed values included. */
const scalarSchema = (type: GraphQLScalarType): JsonSchema => {
  const values = valuesOf(type);
  if (values !== null) return { type: 'string', ...described(type.description), enum: values };
  switch (type.name) {
    case 'Int':
      return { type: 'integer', format: 'int32' };
    case 'Float':
      return { type: 'number' };
    case 'Boolean':
      return { type: 'boolean' };
    case 'DateTime':
      return { type: 'string', format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] };
    case 'JSONObject':
      return { type: 'object', additionalProperties: true };
    default:
      if (typeof type.extensions['schema'] === 'object') return type.extensions['schema'] as JsonSchema;
      return {
        type: 'string',
        ...(typeof type.extensions['format'] === 'string' ? { format: type.extensions['format'] } : {}),
      };
  }
};

const orNull = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
};

const described = (description: string | null | undefined): JsonSchema => (description ? { description } : {});

/** A schema with the description of its field or argument. */
export const documented = (schema: JsonSchema, { description, deprecationReason }: Documented): JsonSchema => ({
  ...schema,
  ...described([description, deprecationReason && `Deprecated: ${deprecationReason}`].filter(Boolean).join(' ')),
  ...(deprecationReason ? { deprecated: true } : {}),
});

interface Documented {
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}
