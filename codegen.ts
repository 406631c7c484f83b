import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed operations for the GraphQL documents under `test/`, generated from the emitted schema: a document that no longer
 * fits the schema, or a result read wrongly, fails before any test runs. Documents are parsed ones, which Apollo Client,
 * urql and graphql-request accept; `print` of graphql makes a string for others.
 */
const plugins = ['typescript-operations', 'typed-document-node'];

export default {
  schema: 'schema/schema.graphql',
  generates: {
    'test/support/generated/operations.ts': { documents: 'test/**/*.graphql', plugins },
    // A browser sends text: no parser for GraphQL is shipped to it.
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
