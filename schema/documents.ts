import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql';
import { requireBoundedDocument } from './document-bounds.ts';
import { maxTokens } from './limits.ts';

const maxKept = 200;
const maxKeptLength = 16_384;

/** Parses and validates a document. Returns the document or its errors. */
export type ReadDocument = (source: string) => DocumentNode | readonly GraphQLError[];

/** Creates a reader that caches up to 200 valid documents, because clients send the same ones repeatedly. */
export function documentReader(schema: GraphQLSchema, rules: readonly ValidationRule[]): ReadDocument {
  const allRules = [...specifiedRules, ...rules];
  const kept = new Map<string, DocumentNode>();
  return (source) => {
    const known = kept.get(source);
    if (known) return known;
    try {
      requireBoundedDocument(source);
      const document = parse(source, { maxLexicalTokens: maxTokens });
      const errors = validate(schema, document, allRules);
      if (errors.length > 0) return errors;
      if (kept.size >= maxKept) kept.clear();
      if (source.length <= maxKeptLength) kept.set(source, document);
      return document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The document is not valid.')];
    }
  };
}
