import { compile } from 'json-schema-to-typescript';
import type { ClientOperation, JsonSchema, OpenApiDocument } from './openapi-operations.ts';

/** Names that TypeScript reserves. */
const renamed: Readonly<Record<string, string | undefined>> = { Error: 'ErrorBody' };

/** Prints the TypeScript types of all schemas and queries of a document. */
export async function printTypes(document: OpenApiDocument, operations: readonly ClientOperation[]): Promise<string> {
  const definitions: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(document.components.schemas))
    definitions[renamed[name] ?? name] = adapted(schema) as JsonSchema;
  for (const { name, query, summary } of operations)
    if (query)
      definitions[queryTypeName(name)] = { ...query, description: `What \`${name}\` can be asked. ${summary}.` };
  const text = await compile({ title: 'Schemas', type: 'object', definitions }, 'Schemas', {
    additionalProperties: false,
    unreachableDefinitions: true,
    bannerComment: '',
    style: { printWidth: 120, singleQuote: true, trailingComma: 'all' },
  });
  return text
    .replace('export interface Schemas {}\n', '')
    .replaceAll(/( \*\n)? \* This interface was referenced by[\s\S]*?"\w+"\.\n/g, '')
    .replaceAll('/**\n */\n', '')
    .trimStart();
}

export const queryTypeName = (operation: string): string =>
  `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}Query`;

/** Rewrites references for the compiler, and binary strings to files. */
function adapted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(adapted);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    copy[keyword] =
      keyword === '$ref' ? String(value).replace('#/components/schemas/', '#/definitions/') : adapted(value);
  }
  return copy['format'] === 'binary' ? { ...copy, tsType: 'Blob' } : copy;
}
