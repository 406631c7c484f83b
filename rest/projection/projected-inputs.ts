import {
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLArgumentConfig,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { snakeCase } from '../../src/core/wire.ts';
import { dateTimeScalar, enumScalar, isTimestamp } from './projected-scalars.ts';

/** Projects a scalar or enum, always to the same scalar for the same type. */
export type Leaf = (type: GraphQLScalarType | GraphQLEnumType) => GraphQLScalarType;

export const leafProjector = (): Leaf => {
  const enums = new Map<string, GraphQLScalarType>();
  return (type) => {
    if (!isEnumType(type)) return isTimestamp(type) ? dateTimeScalar : type;
    const projected = enums.get(type.name) ?? enumScalar(type);
    enums.set(type.name, projected);
    return projected;
  };
};

/** Converts the wire names in a value to the resolvers' names. */
type Rename = (value: unknown) => unknown;

interface ProjectedInput {
  type: GraphQLInputType;
  /** Null when no name differs. */
  rename: Rename | null;
}

export interface ProjectedArguments {
  args: Record<string, GraphQLArgumentConfig>;
  /** Converts arguments to the resolver's names. */
  rename: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

export type ProjectArguments = (args: readonly GraphQLArgument[]) => ProjectedArguments;

/** Projects arguments and input types to snake_case, with the function that converts arguments back. */
export const argumentProjector = (leaf: Leaf): ProjectArguments => {
  const made = new Map<string, ProjectedInput>();

  const project = (type: GraphQLInputType, inside: readonly string[]): ProjectedInput => {
    if (isNonNullType(type)) {
      const inner = project(type.ofType as GraphQLInputType, inside);
      return { type: new GraphQLNonNull(inner.type), rename: inner.rename };
    }
    if (isListType(type)) {
      const inner = project(type.ofType as GraphQLInputType, inside);
      const { rename } = inner;
      return {
        type: new GraphQLList(inner.type),
        rename: rename && ((value) => (Array.isArray(value) ? value.map(rename) : value)),
      };
    }
    if (!isInputObjectType(type)) return { type: leaf(type), rename: null };
    if (inside.includes(type.name)) throw new Error(`the input ${type.name} contains itself`);
    const known = made.get(type.name) ?? projectInputObject(type, inside);
    made.set(type.name, known);
    return known;
  };

  const projectInputObject = (type: GraphQLInputObjectType, inside: readonly string[]): ProjectedInput => {
    const { configs, rename } = projectMembers(Object.values(type.getFields()), [...inside, type.name]);
    return {
      type: new GraphQLInputObjectType({
        name: type.name,
        description: type.description,
        fields: configs,
        extensions: type.extensions,
      }),
      rename: (value) => (value === null || value === undefined ? value : rename(value as Record<string, unknown>)),
    };
  };

  const projectMembers = (members: readonly (GraphQLArgument | GraphQLInputField)[], inside: readonly string[]) => {
    const projected = members.map((member) => ({
      member,
      wire: snakeCase(member.name),
      ...project(member.type, inside),
    }));
    return {
      configs: Object.fromEntries(
        projected.map(({ member, wire, type }) => [
          wire,
          {
            type,
            description: member.description,
            deprecationReason: member.deprecationReason,
            defaultValue: member.defaultValue,
            extensions: member.extensions,
          },
        ]),
      ),
      rename: (values: Readonly<Record<string, unknown>>) => {
        const renamed: Record<string, unknown> = {};
        for (const { member, wire, rename } of projected) {
          const value = values[wire];
          if (value !== undefined) renamed[member.name] = rename === null ? value : rename(value);
        }
        return renamed;
      },
    };
  };

  return (args) => {
    const { configs, rename } = projectMembers(args, []);
    return { args: configs, rename };
  };
};
