import { cache } from '../api/cache.ts';
import { KnowledgeAgentDocument, KnowledgeDocumentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';

export const loadKnowledgeAgent = (id: string) => cache.query(query(KnowledgeAgentDocument, { id }));

export const loadDocument = (agentId: string, docId: string) =>
  cache.query(query(KnowledgeDocumentDocument, { agentId, docId }));
