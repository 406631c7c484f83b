import { type GraphQLSchema, Kind, OperationTypeNode, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Actor } from '../../src/core/actor.ts';
import { compilePrune } from './absent-fields.ts';
import type { WireArguments } from './validation.ts';

/** Runs an operation with validated arguments and returns its response as JSON text. It throws what the operation throws. */
export type RunOperation = (args: WireArguments, context: unknown) => Promise<string>;

/** Compiles a document with one root field of the projection at its first use, because most are never used by a process. */
export const compileLazily = (schema: GraphQLSchema, document: string): RunOperation => {
  let run: RunOperation | undefined;
  return async (args, context) => (run ??= compile(schema, document))(args, context);
};

const compile = (schema: GraphQLSchema, text: string): RunOperation => {
  const document = parse(text, { noLocation: true });
  const [definition] = document.definitions;
  const selection = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections[0] : undefined;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || selection?.kind !== Kind.FIELD)
    throw new Error('not an operation');
  const field = selection.name.value;
  const root = definition.operation === OperationTypeNode.QUERY ? schema.getQueryType() : schema.getMutationType();
  const type = root?.getFields()[field]?.type;
  const compiled = compileQuery(schema, document, undefined, { disablingCapturingStackErrors: true });
  if (type === undefined || !isCompiledQuery(compiled)) throw new Error(`${field} cannot be compiled`);
  const prune = compilePrune(type);
  return async (args, context) => {
    const { data, errors } = await compiled.query(undefined, context, args);
    // Rethrown, so that all errors of /v1 are handled in one place.
    if (errors?.[0]) throw errors[0];
    const value: unknown = data?.[field];
    prune?.(value, hasCredential(context));
    return JSON.stringify(value);
  };
};

const hasCredential = (context: unknown): boolean => (context as { actor?: Actor }).actor?.kind === 'user';
