import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import { requireStorage } from '../billing/storage/stored-bytes.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField, notFound } from '../core/errors.ts';
import { type FallbackTask, holdFallbackTask, cleanUpNow } from '../core/tasks/fallback-task.ts';
import { newId } from '../core/ids.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { inTransaction, onCommitted } from '../core/database/transaction.ts';
import { encodingOf } from './extract/charset.ts';
import { createContentCheck } from './document-content.ts';
import { type Document, documentColumns, documentFileKey } from './document.ts';
import { type DocumentFormat, formatOf, readableExtensions, safeFilename } from './document-format.ts';
import { isOwnAgent, lockOwnAgent } from './own-agent.ts';
import { reserveProcessing } from './processing-quota.ts';
import { lockReplaced, type ReplacedDocument } from './replaced-document.ts';

export interface UploadedFile {
  /** File name given by the client. */
  filename: string;
  content: AsyncIterable<Buffer>;
}

export interface UploadOptions {
  /** ID of a document of the same agent that is deleted once the new one is ready. If the new one fails, both stay. */
  replaces?: string | null | undefined;
  /** Label of the encoding of a text file. It is found when absent. */
  encoding?: string | null | undefined;
}

/** A file that is stored and checked but is not a document yet. */
export interface ReceivedFile {
  id: string;
  agentId: string;
  filename: string;
  format: DocumentFormat;
  sizeBytes: number;
  /** SHA-256 of the content in hexadecimal. */
  digest: string;
  /**
   * Task that removes the file if this process dies before the document is created. Null for another user's agent,
   * because nothing was stored.
   */
  removal: FallbackTask | null;
}

/**
 * Uploads a document: `receiveFile`, then `addDocument`. A rejected upload leaves nothing behind.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `not_found`,
 * `plan_limit_exceeded`, `conflict`, `unavailable` when the disk is full
 */
export async function uploadDocument(
  ctx: Ctx,
  agentId: string,
  file: UploadedFile,
  options: UploadOptions = {},
): Promise<Document> {
  const received = await receiveFile(ctx, agentId, file);
  try {
    return await addDocument(ctx, received, options);
  } catch (error) {
    await discardFile(ctx, received);
    throw error;
  }
}

/**
 * Checks the content and writes it to the file store while it is received. `file.content` may be left unread.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `unavailable`
 */
export async function receiveFile(ctx: Ctx, agentId: string, file: UploadedFile): Promise<ReceivedFile> {
  const filename = safeFilename(file.filename);
  const format = formatOf(filename);
  if (!format) {
    throw new AppError('unsupported_media_type', {
      message: `The name of a document must end in ${readableExtensions}.`,
    });
  }
  // Report file errors before `not_found`.
  const isOwn = await isOwnAgent(ctx, agentId);
  const id = newId('doc_');
  if (!isOwn)
    return { id, agentId, filename, format, removal: null, ...(await store(ctx, null, format, file.content)) };
  const removal = await holdFallbackTask(ctx, 'document.abandon', id, { documentId: id, agentId });
  try {
    const content = await store(ctx, documentFileKey({ agentId, id }), format, file.content);
    return { id, agentId, filename, format, removal, ...content };
  } catch (error) {
    const wasOurs = await discardFile(ctx, { id, agentId, removal });
    throw wasOurs || error instanceof AppError ? error : new AppError('unavailable', { cause: error });
  }
}

/**
 * Creates a document from the received file and enqueues its processing.
 * @throws AppError `invalid_request` for an unknown encoding, `not_found`, `plan_limit_exceeded`, `rate_limited`,
 * `unavailable` when the file has been removed, `conflict` while the
 * replaced document is a replacement in progress or has one
 */
export async function addDocument(
  ctx: Ctx,
  received: ReceivedFile,
  { replaces, encoding }: UploadOptions = {},
): Promise<Document> {
  const named = requireEncoding(encoding);
  const { id, agentId, filename, format, sizeBytes, removal } = received;
  return inTransaction(ctx, async (tx) => {
    await lockOwnAgent(tx, agentId);
    const replaced = replaces ? await lockReplaced(tx, agentId, replaces) : null;
    if (replaces && !replaced) throw notFound();
    await enforceDocumentLimit(tx, replaced);
    await requireStorage(tx, sizeBytes);
    await reserveProcessing(tx, callerId(tx), sizeBytes);
    if (!(await removal?.withdraw(tx))) throw new AppError('unavailable');
    onCommitted(tx, () => removal?.release());
    const values = [id, agentId, callerId(tx), filename, format, sizeBytes, replaced?.id ?? null, named];
    const [document] = await tx.sql<Document>(insertDocument, values);
    if (!document) throw notFound();
    await enqueueProcessing(tx, id);
    return document;
  });
}

/** Returns the standard name of a stated encoding. @throws AppError `invalid_request` for an unknown one */
function requireEncoding(label: string | null | undefined): string | null {
  if (label === null || label === undefined || label.trim() === '') return null;
  const encoding = encodingOf(label.trim());
  if (!encoding) {
    throw invalidField(
      'encoding',
      'invalid_encoding',
      'encoding must be a name of the Encoding Standard, such as shift_jis, gbk or windows-1250',
    );
  }
  return encoding;
}

/**
 * Removes a received file that did not become a document. If this fails, the fallback task removes it. Returns false
 * when the file was already treated as abandoned.
 */
export async function discardFile(
  ctx: Ctx,
  { id, agentId, removal }: Pick<ReceivedFile, 'id' | 'agentId' | 'removal'>,
): Promise<boolean> {
  return removal ? cleanUpNow(ctx, removal, () => abandonFile(ctx, { id, agentId })) : true;
}

/** Removes the file of an upload, unless it has become a document. */
export async function abandonFile(ctx: Ctx, { id, agentId }: { id: string; agentId: string }): Promise<void> {
  const [document] = await ctx.sql(findDocument, [id]);
  if (!document) await ctx.ports.files.delete(documentFileKey({ agentId, id }));
}

const findDocument = { name: 'document_exists', text: `select 1 as found from documents where id = $1` };

/** Enqueues the processing, limited to three attempts because a document may crash its process. */
export const enqueueProcessing = (ctx: Ctx, documentId: string): Promise<void> =>
  enqueueTask(ctx, 'document.process', { documentId }, { key: documentId, maxAttempts: 3 });

const insertDocument = {
  name: 'document_insert',
  text: `
    with d as (
      insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, replaces, encoding, created_at)
      values ($1, $2, $3, $4, $5, $6, 'processing', $7, $8, now()) returning *
    )
    select ${documentColumns} from d`,
};
const countDocuments = {
  name: 'documents_count_of_owner',
  text: `select count(*) as total from documents d where owner_id = $1 and status <> 'failed'
    and not exists (select from documents r where r.replaces = d.id and r.status = 'processing')
    and not exists (select from agents a where a.id = d.agent_id and a.deleted_at is not null)`,
};

/**
 * Locks the owner's row until the transaction ends, so that parallel uploads cannot exceed the limit. The replacement
 * of a document that counts is always within it.
 * @throws AppError `plan_limit_exceeded`
 */
export async function enforceDocumentLimit(ctx: Ctx, replaced: ReplacedDocument | null): Promise<void> {
  if (replaced?.isCounted) return;
  const ownerId = callerId(ctx);
  const limit = ctx.catalog.planLimits.knowledgeDocuments[await lockPlan(ctx, ownerId)];
  if ((await countKnowledgeDocuments(ctx, ownerId)) < limit) return;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan allows ${limit.toLocaleString('en-US')} knowledge documents. Delete one or choose a larger plan.`,
  });
}

/**
 * Counts the documents of a user that count against the plan: all except the failed ones and those that are being
 * replaced.
 */
async function countKnowledgeDocuments(ctx: Ctx, ownerId: string): Promise<number> {
  const [row] = await ctx.sql<{ total: number }>(countDocuments, [ownerId]);
  return row?.total ?? 0;
}

/** Checks the content and stores it. Without a key it only checks. */
async function store(
  ctx: Ctx,
  key: string | null,
  format: DocumentFormat,
  content: AsyncIterable<Buffer>,
): Promise<{ sizeBytes: number; digest: string }> {
  const check = createContentCheck(format);
  const hash = createHash('sha256');
  let refusal: unknown;
  let sizeBytes = 0;
  async function* checked(): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of content) {
        check.write(bytes);
        hash.update(bytes);
        yield bytes;
      }
      sizeBytes = check.end();
    } catch (error) {
      refusal = error;
      throw error;
    }
  }
  try {
    if (key) await ctx.ports.files.put(key, Readable.from(checked(), { objectMode: false }));
    else for await (const _bytes of checked());
  } catch (error) {
    // A full disk also aborts the read, and the check sees only the aborted read.
    const cause = asDiskFull(error);
    throw cause instanceof AppError ? cause : (refusal ?? cause);
  }
  return { sizeBytes, digest: hash.digest('hex') };
}

/** Maps a full-disk error to `unavailable`. */
function asDiskFull(error: unknown): unknown {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code } = e as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
      return new AppError('unavailable', {
        message: 'No more files can be stored right now. Try again later.',
        cause: error,
      });
    }
  }
  return error;
}
