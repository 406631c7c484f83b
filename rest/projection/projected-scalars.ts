import { GraphQLError, GraphQLScalarType, Kind, type GraphQLEnumType } from 'graphql';

const timestampNames = new Set(['DateTime', 'DateTimeISO', 'Timestamp']);

/** Whether a scalar is a time. The projection has one scalar for times, `DateTime`. */
export const isTimestamp = (type: GraphQLScalarType): boolean => timestampNames.has(type.name);

/** A time as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const dateTimeScalar = new GraphQLScalarType<Date | string, string>({
  name: 'DateTime',
  description: 'A time in UTC, to the millisecond.',
  extensions: { format: 'date-time' },
  serialize: (value) => (value instanceof Date ? value : new Date(value as string)).toISOString(),
  parseValue: (value) => {
    const time = typeof value === 'string' ? parseTimestamp(value) : null;
    if (time === null) throw new GraphQLError('must be an ISO 8601 time such as 2026-11-21T09:30:00.000Z');
    return time;
  },
});

const timestampPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

const parseTimestamp = (text: string): Date | null => {
  const day = timestampPattern.exec(text)?.[1];
  const time = new Date(text);
  // Date parses 30 February as a day in March.
  return day === undefined || Number.isNaN(time.getTime()) || new Date(day).toJSON().slice(0, 10) !== day ? null : time;
};

/**
 * Projects an enum to a scalar with its allowed values in `extensions.values`, because wire values may contain dots and
 * colons, which are not valid in GraphQL enum names. Rejects other values in both directions.
 */
export const enumScalar = (type: GraphQLEnumType): GraphQLScalarType => {
  const values = type.getValues().map(({ value }) => String(value));
  const known = new Set(values);
  const check = (value: unknown): string => {
    if (typeof value === 'string' && known.has(value)) return value;
    throw new GraphQLError(`must be one of ${values.join(', ')}`);
  };
  return new GraphQLScalarType({
    name: type.name,
    description: type.description,
    extensions: { values },
    serialize: check,
    parseValue: check,
    parseLiteral: (node) => check(node.kind === Kind.STRING ? node.value : undefined),
  });
};

/** The allowed wire values of a projected enum, or null for any other type. */
export const valuesOf = (type: { extensions: { values?: unknown } }): readonly string[] | null =>
  Array.isArray(type.extensions.values) ? (type.extensions.values as string[]) : null;
