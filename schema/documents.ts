import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql';
import pLimit from 'p-limit';
import { requireBounds } from './document-bounds.ts';
import { maxTokens } from './limits.ts';

const maxKept = 500;
const maxKeptLength = 16_384;
/** Validation stops after this number of errors. */
const maxErrors = 20;

type Read = DocumentNode | readonly GraphQLError[];

/** Parses and validates a document. Resolves with the document or its errors. */
export type ReadDocument = (source: string) => Promise<Read>;

/**
 * Validating a large document takes milliseconds. One document is read in a turn of the event loop, so that other
 * requests are served in between, however many documents wait.
 */
const inTurn = pLimit(1);

/** Creates a reader that keeps the 500 documents used last, valid or not, because clients send the same ones repeatedly. */
export function documentReader(schema: GraphQLSchema, rules: readonly ValidationRule[]): ReadDocument {
  const allRules = [...specifiedRules, ...rules];
  const kept = new Map<string, Read>();

  function keep(source: string, read: Read): Read {
    kept.delete(source);
    if (source.length <= maxKeptLength) kept.set(source, read);
    const [oldest] = kept.size > maxKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return read;
  }

  function read(source: string): Read {
    try {
      const document = parse(source, { maxLexicalTokens: maxTokens });
      requireBounds(document);
      const errors = validate(schema, document, allRules, { maxErrors, hideSuggestions: true });
      return errors.length > 0 ? errors : document;
    } catch (error) {
      return [error instanceof GraphQLError ? error : new GraphQLError('The document is not valid.')];
    }
  }

  return async (source) => {
    const known = kept.get(source);
    if (known) return keep(source, known);
    return inTurn(async () => {
      await nextTurn();
      return keep(source, kept.get(source) ?? read(source));
    });
  };
}

/** Returns the name by which an operation is chosen. Some clients send an empty name for an operation without one. */
export const operationNameOf = (name: string | null | undefined): string | undefined => name || undefined;

/** Returns whether the chosen operation of a document is a subscription. */
export const isSubscription = (document: DocumentNode, operationName: string | undefined): boolean =>
  getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;

export const onlySubscriptions = 'Only subscriptions are served here. Send queries and mutations to /graphql.';
