import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** Bytes inside of JSON. In REST they are the bytes themselves. */
export const Base64 = new GraphQLScalarType<Buffer, string>({
  name: 'Base64',
  description: 'Bytes as base64 (RFC 4648, section 4).',
  extensions: { format: 'binary' },
  serialize: (value) => (value as Buffer).toString('base64'),
  parseValue: (value) => decode(value),
  parseLiteral: (node) => decode(node.kind === Kind.STRING ? node.value : undefined),
});

function decode(value: unknown): Buffer {
  if (typeof value !== 'string' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
    throw new GraphQLError('must be base64');
  return Buffer.from(value, 'base64');
}
