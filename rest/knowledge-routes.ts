import type { Route } from './routes.ts';

/** The rows of /v1/knowledge. */
export const knowledgeRoutes: readonly Omit<Route, 'tag'>[] = [
  {
    method: 'POST',
    path: '/knowledge/:agent_id/documents',
    operation: 'Mutation.uploadDocument',
    status: 201,
    summary: 'Upload a document',
    body: 'input',
    shapes: { Document: 'NewDocument' },
    errors: ['plan_limit_exceeded'],
    adapter: 'upload',
  },
  {
    method: 'GET',
    path: '/knowledge/:agent_id/documents',
    operation: 'Query.documents',
    status: 200,
    summary: 'List the documents',
    shapes: { Document: 'DocumentListItem' },
  },
  {
    method: 'GET',
    path: '/knowledge/:agent_id/documents/:doc_id',
    operation: 'Query.document',
    status: 200,
    summary: 'Get a document',
  },
  {
    method: 'GET',
    path: '/knowledge/:agent_id/documents/:doc_id/content',
    operation: 'Query.documentContent',
    status: 200,
    summary: 'Download the original',
    adapter: 'documentContent',
  },
  {
    method: 'POST',
    path: '/knowledge/:agent_id/documents/:doc_id/retry',
    operation: 'Mutation.retryDocument',
    status: 200,
    summary: 'Process a failed document again',
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  {
    method: 'DELETE',
    path: '/knowledge/:agent_id/documents/:doc_id',
    operation: 'Mutation.deleteDocument',
    status: 200,
    summary: 'Delete a document',
  },
  {
    method: 'POST',
    path: '/knowledge/:agent_id/query',
    operation: 'Query.queryKnowledge',
    status: 200,
    summary: 'See what a conversation would be given',
    body: 'input',
    idempotency: 'remote',
  },
];
