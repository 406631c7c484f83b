import { documentContentAdapter } from '../adapters/document-content.ts';
import { documentUploadAdapter } from '../adapters/document-upload.ts';
import type { RouteGroup } from './route.ts';

export const knowledgeRoutes: RouteGroup = {
  tag: 'Knowledge',
  description: 'Documents that an agent uses to answer questions.',
  shapes: {
    NewDocument: { of: 'Document', omit: ['processing', 'error', 'reading'] },
    DocumentListItem: { of: 'Document', omit: ['agentId', 'processing', 'error', 'reading'] },
  },
  routes: [
    {
      method: 'POST',
      path: '/knowledge/:agent_id/documents',
      operation: 'Mutation.uploadDocument',
      status: 201,
      summary: 'Upload a document',
      body: 'input',
      shapes: { Document: 'NewDocument' },
      errors: ['plan_limit_exceeded', 'conflict'],
      adapter: documentUploadAdapter,
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
      path: '/knowledge/:agent_id/documents/:doc_id/chunks',
      operation: 'Query.documentChunks',
      status: 200,
      summary: 'List the chunks of a document',
    },
    {
      method: 'GET',
      path: '/knowledge/:agent_id/documents/:doc_id/content',
      operation: 'Query.documentContent',
      status: 200,
      summary: 'Download the original file',
      adapter: documentContentAdapter,
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
      summary: 'Search the documents',
      body: 'input',
      idempotency: 'remote',
    },
  ],
};
