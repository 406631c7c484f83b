import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed operations for the GraphQL documents under `test/`, generated from the emitted schema: a document that no longer
 * fits the schema, or a result read wrongly, fails before any test runs. Documents are parsed, as Apollo Client, urql and
 * graphql-request accept them; `print` of graphql converts them to strings for others.
 */
const plugins = ['typescript-operations', 'typed-document-node'];

export default {
  schema: 'schema/schema.graphql',
  generates: {
    'test/support/generated/operations.ts': { documents: 'test/**/*.graphql', plugins },
    // Documents are strings: the browser bundle has no GraphQL parser.
    'web/src/api/generated/operations.ts': {
      documents: 'web/src/**/*.graphql',
      plugins,
      config: { documentMode: 'string', pureMagicComment: true },
    },
  },
  config: {
    useTypeImports: true,
    strictScalars: true,
    scalars: {
      DateTimeISO: 'string',
      Base64: 'string',
      Upload: '{ filename: string; base64: string }',
      JSONObject: 'Record<string, unknown>',
      EmbeddingInput: 'string | readonly string[]',
      EmbeddingVector: 'readonly number[] | string',
    },
  },
} satisfies CodegenConfig;
