import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { NativeValue } from './native-value.ts';

/** Binary data in JSON: a Buffer in a response, a stream in an argument. REST transfers the bytes without encoding. */
export const Base64 = new GraphQLScalarType<AsyncIterable<Uint8Array>, string>({
  name: 'Base64',
  description: 'Binary data in base64 (RFC 4648, section 4).',
  extensions: { format: 'binary' },
  serialize: (value) => (value as Buffer).toString('base64'),
  parseValue: (value) => (value instanceof NativeValue ? (value.value as AsyncIterable<Uint8Array>) : decode(value)),
  parseLiteral: (node) => decode(node.kind === Kind.STRING ? node.value : undefined),
});

function decode(value: unknown): AsyncIterable<Uint8Array> {
  if (typeof value !== 'string' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
    throw new GraphQLError('must be base64');
  return once(Buffer.from(value, 'base64'));
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
