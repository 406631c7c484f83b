import { removeAgentDocuments } from './remove-agent-documents.ts';
import type { Feature } from '../core/feature.ts';
import { checkDocuments } from './check-documents.ts';
import { documentExport, documentFiles } from './document.export.ts';
import { purgeDocuments } from './document.purge.ts';
import { failDocument, processDocument } from './processing/process-document.ts';
import { reEmbedDocument } from './processing/re-embed-document.ts';
import { reindexChunks } from './processing/reindex-chunks.ts';
import { removeDocument } from './remove-document.ts';
import { abandonFile } from './upload-document.ts';
import { Document } from './document.entity.ts';
import { Chunk } from './processing/chunk.entity.ts';
import { ChunkVector } from './retrieval/chunk-vector.entity.ts';
import { AgentVectorVersion } from './retrieval/agent-vector-version.entity.ts';
import { DocumentStray } from './document-stray.entity.ts';
import { knowledgeSettings } from './knowledge.settings.ts';
import { knowledgeGauges } from './knowledge.gauges.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    doc_: 'document';
    chk_: 'chunk';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'knowledge:read': true;
    'knowledge:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'document.process': { documentId: string };
    'document.remove': { documentId: string; agentId: string };
    'document.abandon': { documentId: string; agentId: string };
    'document.re-embed': { documentId: string };
    'document.reindex': { after: string };
    'document.check': object;
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    knowledgeDocuments: number;
  }
}

export const knowledge: Feature = {
  name: 'knowledge',
  removeOfAgent: [removeAgentDocuments],
  settings: knowledgeSettings,
  entities: [Document, Chunk, ChunkVector, AgentVectorVersion, DocumentStray],
  idPrefixes: { document: 'doc_', chunk: 'chk_' },
  scopes: ['knowledge:read', 'knowledge:write'],
  planLimits: { knowledgeDocuments: { free: 5, plus: 50, pro: 200, creator: 1_000 } },
  jobs: [
    {
      // A `DocumentFailure` is final; all other errors are retried.
      kind: 'document.process',
      concurrency: 2,
      timeoutMs: 120_000,
      retryDelaysSeconds: [5, 30],
      handle: (ctx, { documentId }, run) => processDocument(ctx, documentId, run),
      failed: (ctx, { documentId }) =>
        failDocument(ctx, documentId, 'processing_failed', 'Processing failed three times. Try again later.'),
    },
    {
      // A database trigger enqueues this for every deleted document.
      kind: 'document.remove',
      concurrency: 4,
      retryDelaysSeconds: [2, 5, 15, 60],
      handle: (ctx, { documentId, agentId }, { signal }) => removeDocument(ctx, documentId, agentId, signal),
    },
    {
      // Removes the file of an upload whose process died before the document was created.
      kind: 'document.abandon',
      retryDelaysSeconds: [2, 5, 15, 60],
      handle: (ctx, { documentId, agentId }) => abandonFile(ctx, { id: documentId, agentId }),
    },
    {
      // Runs after a change of the embedding model.
      kind: 'document.re-embed',
      concurrency: 1,
      timeoutMs: 120_000,
      handle: (ctx, { documentId }, run) => reEmbedDocument(ctx, documentId, run),
    },
    {
      // Enqueued by a migration that changes how chunks are indexed.
      kind: 'document.reindex',
      concurrency: 1,
      handle: reindexChunks,
    },
    {
      kind: 'document.check',
      everyMs: 600_000,
      // A new embedding model takes effect at startup. Until documents are re-embedded, only full text finds them.
      atStart: true,
      concurrency: 1,
      handle: (ctx, _payload, { signal }) => checkDocuments(ctx, signal),
    },
  ],
  purge: [purgeDocuments],
  exportSections: [documentExport],
  exportFiles: [documentFiles],
  gauges: [knowledgeGauges],
};
