import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { createEmbeddings } from '../src/embeds/embeddings/create-embeddings.ts';
import { embeddingsRules } from '../src/embeds/embeddings/embeddings.input.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize, OncePerRequest, RateLimit, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';

type Input = string | string[] | number[] | number[][];

const isListOf = (type: 'string' | 'number', value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === type);

const isInput = (value: unknown): value is Input =>
  typeof value === 'string' ||
  isListOf('string', value) ||
  isListOf('number', value) ||
  (Array.isArray(value) && value.every((item) => isListOf('number', item)));

function checkInput(value: unknown): Input {
  if (isInput(value)) return value;
  throw new GraphQLError('must be a string, a list of strings, a list of tokens or a list of lists of tokens');
}

function literal(node: ValueNode): unknown {
  if (node.kind === Kind.STRING) return node.value;
  if (node.kind === Kind.INT) return Number(node.value);
  return node.kind === Kind.LIST ? node.values.map(literal) : undefined;
}

const EmbeddingInput = new GraphQLScalarType<Input, unknown>({
  name: 'EmbeddingInput',
  description: 'A text or a list of texts; a text can also be a list of cl100k_base tokens.',
  extensions: {
    schema: {
      anyOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'string' } },
        { type: 'array', items: { type: 'integer' } },
        { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
      ],
    },
  },
  parseValue: checkInput,
  parseLiteral: (node) => checkInput(literal(node)),
});

const EmbeddingVector = new GraphQLScalarType<unknown, readonly number[] | string>({
  name: 'EmbeddingVector',
  description: 'A list of numbers, or the same as little-endian 32-bit floats in base64.',
  extensions: { schema: { anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }] } },
  serialize: (value) => value as readonly number[] | string,
});

type Encoding = 'float' | 'base64';

const EncodingEnum = enumType<Encoding>('EmbeddingEncoding', 'Encoding of the vectors.', {
  float: 'A list of numbers.',
  base64: 'Little-endian 32-bit floats in base64, a quarter of the size.',
});

@InputType({ description: 'Texts to embed.' })
@Rules(embeddingsRules)
class EmbeddingsInput {
  @Field(() => EmbeddingInput, {
    description: 'One text or 1 to 256 texts, each 1 to 32,000 characters or 1 to 8,191 tokens of cl100k_base.',
  })
  input!: Input;
  @Field(() => String, { nullable: true, description: 'The configured model; other names are rejected.' })
  model?: string | null;
  @Field(() => Int, { nullable: true, description: 'Length of the vectors, at most the model’s.' })
  dimensions?: number | null;
  @Field(() => EncodingEnum, { nullable: true, description: 'Encoding of the vectors. Defaults to numbers.' })
  encodingFormat?: Encoding | null;
}

@ObjectType({ description: 'The vector of one text.' })
class Embedding {
  @Field(() => String, { description: 'Always `embedding`.' }) object!: string;
  @Field(() => Int, { description: 'Position of the text in the request, starting at 0.' }) index!: number;
  @Field(() => EmbeddingVector, { description: 'Vector, normalized to length 1.' }) embedding!: number[] | string;
}

@ObjectType({ description: 'Tokens used by a request.' })
class EmbeddingUsage {
  @Field(() => Int, { description: 'Number of tokens in the texts.' }) promptTokens!: number;
  @Field(() => Int, { description: 'Total number of tokens.' }) totalTokens!: number;
}

@ObjectType({ description: 'Vectors of texts, in the order of the input.' })
class EmbeddingList {
  @Field(() => String, { description: 'Always `list`.' }) object!: string;
  @ListSize(256)
  @Field(() => [Embedding], { description: 'One vector for each text.' })
  data!: Embedding[];
  @Field(() => String, { description: 'Model that computed the vectors.' }) model!: string;
  @Field(() => EmbeddingUsage, { description: 'Tokens counted against the daily limit.' }) usage!: EmbeddingUsage;
}

@Resolver()
export class EmbeddingResolver {
  @Access('embeddings:use')
  @RateLimit('embeddings')
  @OncePerRequest()
  @Mutation(() => EmbeddingList, {
    description: 'Computes embedding vectors of texts. Their tokens count against the daily limit.',
  })
  async createEmbeddings(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => EmbeddingsInput) input: EmbeddingsInput,
  ): Promise<EmbeddingList> {
    const { vectors, encoding, model, tokens } = await createEmbeddings(ctx, input, ctx.leftSignal());
    const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encoded(vector, encoding) }));
    return { object: 'list', data, model, usage: { promptTokens: tokens, totalTokens: tokens } };
  }
}

const encoded = (vector: Float32Array, encoding: Encoding): number[] | string =>
  encoding === 'float'
    ? [...vector]
    : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
