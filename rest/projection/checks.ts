import {
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import type { ErrorDetail } from '../../src/core/errors.ts';
import { int32, rangeText } from '../../src/core/input.ts';
import { valuesOf } from './projected-scalars.ts';
import { queryBounds, type Bounds } from './query-bounds.ts';

/** Validates one value and adds a detail for each fault at `path`. Undefined means that the value is absent. */
export type Check = (value: unknown, path: string, faults: ErrorDetail[]) => unknown;

type Member = GraphQLArgument | GraphQLInputField;

/** Validates a member of a JSON body, without coercion; null only where it is nullable. */
export const jsonCheck = (member: Member): Check => required(member, typeCheck(member.type));

/** Validates a query parameter, where numbers and booleans are text. */
export const textCheck = (arg: GraphQLArgument): Check => {
  const type = isNonNullType(arg.type) ? (arg.type.ofType as GraphQLInputType) : arg.type;
  if (isListType(type)) {
    const item = fromText(arg.name, namedScalar(type.ofType as GraphQLInputType));
    return required(arg, (value, path, faults) =>
      value === undefined
        ? undefined
        : (Array.isArray(value) ? value : [value]).map((text: unknown) => item(text, path, faults)),
    );
  }
  const single = fromText(arg.name, namedScalar(type));
  return required(arg, (value, path, faults) => {
    if (!Array.isArray(value)) return value === undefined ? undefined : single(value, path, faults);
    return fault(faults, path, 'repeated', 'must not be repeated');
  });
};

const namedScalar = (type: GraphQLInputType): GraphQLScalarType => {
  const named = isNonNullType(type) ? (type.ofType as GraphQLInputType) : type;
  if (isListType(named) || isInputObjectType(named)) {
    throw new Error(`${String(named)} cannot be read from a query string`);
  }
  return named as GraphQLScalarType;
};

const fromText = (name: string, type: GraphQLScalarType): Check => {
  const bounds = queryBounds[name];
  const check = scalarCheck(type, bounds);
  return (value, path, faults) => check(textValue(type, value), path, faults);
};

/** The value of a text, or the text itself, which the type's check then rejects. */
const textValue = (type: GraphQLScalarType, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (type.name === 'Int') return /^(0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
  if (type.name === 'Float') return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (type.name === 'Boolean') return /^(true|false)$/.test(value) ? value === 'true' : value;
  return value;
};

const required =
  (member: Member, check: Check): Check =>
  (value, path, faults) => {
    if (value === undefined) {
      if (!isNonNullType(member.type) || member.defaultValue !== undefined) return undefined;
      return fault(faults, path, 'required', 'is required');
    }
    return check(value, path, faults);
  };

const typeCheck = (type: GraphQLInputType): Check => {
  if (isNonNullType(type)) {
    const check = nonNullCheck(type.ofType as GraphQLInputType);
    return (value, path, faults) =>
      value === null ? fault(faults, path, 'not_nullable', 'must not be null') : check(value, path, faults);
  }
  const check = nonNullCheck(type);
  return (value, path, faults) => (value === null ? null : check(value, path, faults));
};

const nonNullCheck = (type: GraphQLInputType): Check => {
  if (isListType(type)) return listCheck(typeCheck(type.ofType as GraphQLInputType));
  if (isInputObjectType(type)) return objectCheck(type);
  return scalarCheck(type as GraphQLScalarType);
};

const listCheck =
  (item: Check): Check =>
  (value, path, faults) => {
    if (!Array.isArray(value)) return fault(faults, path, 'invalid_type', 'must be a list');
    return value.map((member: unknown, i) => item(member, `${path}[${i}]`, faults));
  };

const objectCheck = (type: GraphQLInputObjectType): Check => {
  const members = Object.values(type.getFields()).map((field) => ({ name: field.name, check: jsonCheck(field) }));
  return (value, path, faults) => {
    if (typeof value !== 'object' || Array.isArray(value)) {
      return fault(faults, path, 'invalid_type', 'must be an object');
    }
    const known: Record<string, unknown> = {};
    for (const { name, check } of members) {
      // Own properties only, so that `__proto__` and prototypes have no effect.
      const given: unknown = Object.hasOwn(value as object, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
      const checked = check(given, path === '' ? name : `${path}.${name}`, faults);
      if (checked !== undefined) known[name] = checked;
    }
    return known;
  };
};

const scalarCheck = (type: GraphQLScalarType, bounds?: Bounds): Check => {
  const values = valuesOf(type);
  if (values !== null) return valueCheck(values);
  switch (type.name) {
    case 'String':
    case 'ID':
      return stringCheck;
    case 'Boolean':
      return (value, path, faults) =>
        typeof value === 'boolean' ? value : fault(faults, path, 'invalid_type', 'must be true or false');
    case 'Int':
      return wholeNumberCheck(bounds);
    case 'Float':
      return (value, path, faults) =>
        typeof value === 'number' && Number.isFinite(value)
          ? value
          : fault(faults, path, 'invalid_type', 'must be a number');
    default:
      return customCheck(type);
  }
};

const valueCheck = (values: readonly string[]): Check => {
  const known = new Set<unknown>(values);
  const message = `must be one of ${values.join(', ')}`;
  return (value, path, faults) => (known.has(value) ? value : fault(faults, path, 'invalid_value', message));
};

const stringCheck: Check = (value, path, faults) => {
  if (typeof value !== 'string') return fault(faults, path, 'invalid_type', 'must be a string');
  // PostgreSQL cannot store NUL in text.
  if (value.includes('\0')) return fault(faults, path, 'invalid_character', 'must not contain NUL characters');
  return value;
};

const wholeNumberCheck = ({ min, max }: Pick<Bounds, 'min' | 'max'> = int32): Check => {
  const ofRange = `must be a whole number ${rangeText({ min, max })}`;
  const ofType = min === int32.min ? 'must be a whole number' : ofRange;
  return (value, path, faults) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return fault(faults, path, 'invalid_type', ofType);
    if (value < min) return fault(faults, path, 'too_small', ofRange);
    return value > max ? fault(faults, path, 'too_big', ofRange) : value;
  };
};

/** A custom scalar validates its value; the executor parses it again. */
const customCheck =
  (type: GraphQLScalarType): Check =>
  (value, path, faults) => {
    try {
      type.parseValue(value);
      return value;
    } catch (error) {
      return fault(faults, path, 'invalid_value', (error as Error).message);
    }
  };

const fault = (faults: ErrorDetail[], field: string, code: string, message: string): undefined => {
  faults.push({ field, code, message });
  return undefined;
};
