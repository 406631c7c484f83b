import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed operations for the GraphQL documents under `test/`, made from the emitted schema: a document that no longer fits
 * the schema, or a result read wrongly, fails before any test runs.
 */
export default {
  schema: 'schema/schema.graphql',
  documents: 'test/**/*.graphql',
  generates: {
    'test/support/generated/operations.ts': { plugins: ['typescript-operations', 'typed-document-node'] },
  },
  config: {
    useTypeImports: true,
    documentMode: 'string',
    strictScalars: true,
    scalars: {
      DateTimeISO: 'string',
      Base64: 'string',
      Upload: '{ filename: string; base64: string }',
      JSONObject: 'Record<string, unknown>',
    },
  },
} satisfies CodegenConfig;
