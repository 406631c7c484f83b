import type { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { FileMissing } from '../core/files.ports.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { inTransaction, onCommitted } from '../core/database/transaction.ts';
import { type Document, documentColumns, documentFileKey } from './document.ts';
import { listDocumentsInput } from './knowledge.input.ts';
import { requireOwnAgent } from './own-agent.ts';
import { lockReplaced } from './replaced-document.ts';
import { reserveProcessing } from './processing-quota.ts';
import { enqueueProcessing, enforceDocumentLimit } from './upload-document.ts';

const listNewest = orderedList<Document>({
  name: 'documents_list',
  columns: documentColumns,
  from: 'documents d where d.agent_id = $1',
  valueCount: 1,
  key: { column: 'd.created_at', kind: 'time', of: (document) => document.createdAt },
  id: { column: 'd.id', of: ({ id }) => id },
});
const countAll = { name: 'documents_count', text: `select count(*) as total from documents where agent_id = $1` };

/** Lists the documents of one of the caller's agents, newest first. @throws AppError `not_found`, `invalid_request` */
export async function listDocuments(ctx: Ctx, agentId: string, input: unknown): Promise<Page<Document>> {
  const page = parseInput(listDocumentsInput, input);
  await requireOwnAgent(ctx, agentId);
  return withTotal(ctx, readSlice(ctx, listNewest, [agentId], page), page, countAll, [agentId]);
}

// SQL instead of the EntityManager: these statements leave out `embedded`, a multirange that grows with the document
// and that workers update. `for update` locks the row against those workers.
const select = `select ${documentColumns} from documents d where d.id = $1 and d.agent_id = $2`;
const readDocument = { name: 'document_get', text: select };
const lockDocument = { name: 'document_lock', text: `${select} for update` };

/** @throws AppError `not_found` */
export const getDocument = (ctx: Ctx, agentId: string, id: string): Promise<Document> =>
  findOwn(ctx, agentId, id, readDocument);

async function findOwn(ctx: Ctx, agentId: string, id: string, statement: typeof readDocument): Promise<Document> {
  await requireOwnAgent(ctx, agentId);
  const [document] = isId('doc_', id) ? await ctx.sql<Document>(statement, [id, agentId]) : [];
  if (!document) throw notFound();
  return document;
}

/** Opens the uploaded original. @throws AppError `not_found` */
export async function openDocumentContent(
  ctx: Ctx,
  agentId: string,
  id: string,
): Promise<{ document: Document; content: Readable }> {
  const document = await getDocument(ctx, agentId, id);
  try {
    return { document, content: await ctx.ports.files.get(documentFileKey(document)) };
  } catch (error) {
    throw error instanceof FileMissing ? notFound() : error;
  }
}

const deleteRow = { name: 'document_delete', text: `delete from documents where id = $1` };

/**
 * Deletes a document. It becomes invisible at once; a trigger enqueues the removal of its chunks, vectors and file.
 * @throws AppError `not_found`
 */
export async function deleteDocument(ctx: Ctx, agentId: string, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    await findOwn(tx, agentId, id, lockDocument);
    await tx.sql(deleteRow, [id]);
    onCommitted(tx, () => tx.ports.tasks.wake('document.remove'));
  });
  return { id, deleted: true };
}

const restart = {
  name: 'document_restart',
  text: `
    with d as (
      update documents set status = 'processing', error_code = null, error_message = null, started_at = null, completed_at = null
      where id = $1 returning *
    )
    select ${documentColumns} from d`,
};

/**
 * Processes a failed document again.
 * @throws AppError `not_found`, `conflict` when the document has not failed or another replacement of the same document
 * is processed, `plan_limit_exceeded`
 */
export async function retryDocument(ctx: Ctx, agentId: string, id: string): Promise<Document> {
  return inTransaction(ctx, async (tx) => {
    // Locks the owner before the document, in the same order as an upload, to avoid a deadlock.
    const { replaces } = await getDocument(tx, agentId, id);
    await enforceDocumentLimit(tx, replaces ? await lockReplaced(tx, agentId, replaces) : null);
    const { status, sizeBytes } = await findOwn(tx, agentId, id, lockDocument);
    if (status !== 'failed') throw new AppError('conflict', { message: 'Only a failed document can be retried.' });
    await reserveProcessing(tx, callerId(tx), sizeBytes);
    const [document] = await tx.sql<Document>(restart, [id]);
    await enqueueProcessing(tx, id);
    return document ?? getDocument(tx, agentId, id);
  });
}
