import type { DocumentFormat } from './document-format.ts';

export type DocumentStatus = 'processing' | 'ready' | 'failed';

/** A document as its row has it. */
export interface Document {
  id: string;
  agentId: string;
  filename: string;
  format: DocumentFormat;
  sizeBytes: number;
  status: DocumentStatus;
  /** Known once the text is split. */
  chunksTotal: number | null;
  /** Chunks that have their vector. */
  chunksDone: number;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Date;
  startedAt: Date | null;
  /** When it became ready, or failed. */
  completedAt: Date | null;
}

/** The columns of a document under the names above; the table is `d`. */
export const documentColumns = `
  d.id, d.agent_id as "agentId", d.filename, d.format, d.size_bytes as "sizeBytes", d.status,
  d.chunks_total as "chunksTotal", d.chunks_done as "chunksDone", d.error_code as "errorCode",
  d.error_message as "errorMessage", d.created_at as "createdAt", d.started_at as "startedAt", d.completed_at as "completedAt"`;

/** Where the original is kept. */
export const documentFileKey = ({ agentId, id }: { agentId: string; id: string }): string => `agents/${agentId}/${id}`;
