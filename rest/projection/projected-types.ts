import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
} from 'graphql';
import { snakeCase } from '../../src/core/wire.ts';
import { dateTimeScalar, isTimestamp } from './projected-scalars.ts';
import type { Leaf } from './projected-inputs.ts';
import type { Shapes } from '../routes/route.ts';

/** Projects the response type of a route. `chosen` maps the name of a type to its shape in this route. */
export type ProjectOutput = (type: GraphQLOutputType, chosen: Readonly<Record<string, string>>) => GraphQLOutputType;

interface Variant {
  of: string;
  /** The fields of the type with their types; two forms of a type must not share a name. */
  choices: string;
  type: GraphQLObjectType;
}

/**
 * Creates a projector that reuses its types, so that a type with the same shapes is the same type everywhere. It throws an
 * Error for what REST cannot express: interfaces, unions, recursive types and fields with required arguments.
 */
export const outputProjector = (shapes: Shapes, leaf: Leaf): ProjectOutput => {
  const made = new Map<string, Variant>();

  const project = (
    type: GraphQLOutputType,
    chosen: Readonly<Record<string, string>>,
    inside: readonly string[],
  ): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(project(type.ofType as GraphQLOutputType, chosen, inside));
    if (isListType(type)) return new GraphQLList(project(type.ofType as GraphQLOutputType, chosen, inside));
    if (isScalarType(type)) return isTimestamp(type) ? dateTimeScalar : leaf(type);
    if (isEnumType(type)) return leaf(type);
    if (isObjectType(type)) return projectObject(type, chosen, inside);
    throw new Error(`${(type as GraphQLNamedOutputType).name} is an interface or union, which REST has no form for`);
  };

  const projectObject = (
    type: GraphQLObjectType,
    chosen: Readonly<Record<string, string>>,
    inside: readonly string[],
  ): GraphQLObjectType => {
    if (inside.includes(type.name)) {
      throw new Error(`${type.name} contains itself (${inside.join(' > ')}); mark one of the fields @GraphqlOnly`);
    }
    const name = chosen[type.name] ?? type.name;
    const fields = routedFields(type, omittedBy(shapes, chosen[type.name], type));
    const projected = new GraphQLObjectType({
      name,
      description: type.description,
      fields: Object.fromEntries(
        fields.map((field) => {
          const fieldType = project(field.type, chosen, [...inside, type.name]);
          return [snakeCase(field.name), projectField(type, field, fieldType)];
        }),
      ),
    });
    // Compared by their fields: containers of the same name with different content are different types.
    const choices = signature(projected);
    const before = made.get(name);
    if (before === undefined) {
      made.set(name, { of: type.name, choices, type: projected });
      return projected;
    }
    if (before.of === type.name && before.choices === choices) return before.type;
    throw new Error(`${name} would stand for two different forms; give one of them a shape of its own`);
  };

  return (type, chosen) => {
    for (const [of, shape] of Object.entries(chosen)) {
      if (shapes[shape]?.of !== of) throw new Error(`there is no shape ${shape} of ${of}`);
    }
    return project(type, chosen, []);
  };
};

const signature = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .map((field) => `${field.name}:${String(field.type)}`)
    .join();

const omittedBy = (shapes: Shapes, name: string | undefined, type: GraphQLObjectType): readonly string[] => {
  const omit = name === undefined ? [] : (shapes[name]?.omit ?? []);
  const unknown = omit.filter((field) => !(field in type.getFields()));
  if (unknown.length > 0)
    throw new Error(`the shape ${name} omits what ${type.name} does not have: ${unknown.join(', ')}`);
  return omit;
};

const routedFields = (type: GraphQLObjectType, omit: readonly string[]): GraphQLField<unknown, unknown>[] =>
  Object.values(type.getFields()).filter(
    (field) => field.extensions.graphqlOnly !== true && !omit.includes(field.name),
  );

const projectField = (
  parent: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  type: GraphQLOutputType,
): GraphQLFieldConfig<unknown, unknown> => {
  for (const arg of field.args) {
    if (isNonNullType(arg.type) && arg.defaultValue === undefined) {
      throw new Error(`${parent.name}.${field.name} needs the argument ${arg.name}, which REST can't give`);
    }
  }
  return {
    type,
    description: field.description,
    deprecationReason: field.deprecationReason,
    extensions: {
      absentWhenNull: field.extensions.absentWhenNull === true,
      absentWithoutCredential: field.extensions.absentWithoutCredential === true,
    },
    resolve: fieldResolver(field),
  };
};

const fieldResolver = (field: GraphQLField<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> | undefined => {
  const { name, resolve } = field;
  if (resolve === undefined) {
    // Without a resolver the executor reads the property of that name, which is fastest.
    return snakeCase(name) === name ? undefined : (source) => (source as Record<string, unknown>)[name];
  }
  const defaults = Object.fromEntries(
    field.args.filter((arg) => arg.defaultValue !== undefined).map((arg) => [arg.name, arg.defaultValue]),
  );
  return (source, _args, context, info) => resolve(source, { ...defaults }, context, info);
};
