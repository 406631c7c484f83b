import {
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { compilePrune, type Prune } from './absent-fields.ts';

interface CompiledOperation {
  query: CompiledQuery['query'];
  field: string;
  prune: Prune | null;
}

/**
 * Executes SOFA's documents on the projection. Each is compiled at its first use and kept: SOFA hands over the same
 * document for every request of a route.
 */
export const compiledExecution = (
  schema: GraphQLSchema,
): ((args: Pick<ExecutionArgs, 'document' | 'contextValue' | 'variableValues'>) => Promise<ExecutionResult>) => {
  const compiled = new WeakMap<DocumentNode, CompiledOperation>();
  return async ({ document, contextValue, variableValues }) => {
    let operation = compiled.get(document);
    if (operation === undefined) {
      operation = compileOperation(schema, document);
      compiled.set(document, operation);
    }
    const result = await operation.query(undefined, contextValue, variableValues);
    if (operation.prune !== null && result.data) operation.prune(result.data[operation.field]);
    return result;
  };
};

const compileOperation = (schema: GraphQLSchema, document: DocumentNode): CompiledOperation => {
  const [definition] = document.definitions;
  const selection = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections[0] : undefined;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || selection?.kind !== Kind.FIELD)
    throw new Error('not an operation');
  const field = selection.name.value;
  const root = definition.operation === OperationTypeNode.QUERY ? schema.getQueryType() : schema.getMutationType();
  const type = root?.getFields()[field]?.type;
  const query = compileQuery(schema, document, undefined, { disablingCapturingStackErrors: true });
  if (type === undefined || !isCompiledQuery(query)) throw new Error(`${field} can't be compiled`);
  return { query: query.query, field, prune: compilePrune(type) };
};
