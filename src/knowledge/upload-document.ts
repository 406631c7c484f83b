import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { type FallbackTask, holdFallbackTask } from '../core/fallback-task.ts';
import { newId } from '../core/ids.ts';
import { planLimits } from '../core/plans.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction, onCommitted } from '../core/transaction.ts';
import { createContentCheck } from './document-content.ts';
import { type Document, documentColumns, documentFileKey } from './document.ts';
import { type DocumentFormat, formatOf, safeFilename } from './document-format.ts';
import { isOwnAgent, lockOwnAgent } from './own-agent.ts';

export interface UploadedFile {
  /** As the client named it. */
  filename: string;
  content: AsyncIterable<Buffer>;
}

/** A file that is stored and fit to be a document, but is none yet. */
export interface ReceivedFile {
  id: string;
  agentId: string;
  filename: string;
  format: DocumentFormat;
  sizeBytes: number;
  /** SHA-256 of the content, in hex. */
  digest: string;
  /** Removes the file should this process die before it is a document. Null for somebody else's agent: nothing was stored. */
  removal: FallbackTask | null;
}

/**
 * Takes in a document: `receiveFile`, then `addDocument`. Refused, it leaves nothing.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `not_found`, `plan_limit_exceeded`,
 * `unavailable` when there is no room for it
 */
export async function uploadDocument(ctx: Ctx, agentId: string, file: UploadedFile): Promise<Document> {
  const received = await receiveFile(ctx, agentId, file);
  try {
    return await addDocument(ctx, received);
  } catch (error) {
    await discardFile(ctx, received);
    throw error;
  }
}

/**
 * Writes the content to the file store as it arrives and checks it on its way. `file.content` may be left unread.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `unavailable`
 */
export async function receiveFile(ctx: Ctx, agentId: string, file: UploadedFile): Promise<ReceivedFile> {
  const filename = safeFilename(file.filename);
  const format = formatOf(filename);
  if (!format) {
    throw new AppError('unsupported_media_type', {
      message: 'The name of a document must end in .txt, .pdf, .md, .csv or .json.',
    });
  }
  // Somebody else's agent is told after what is wrong with the file.
  const isOwn = await isOwnAgent(ctx, agentId);
  const id = newId('document');
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
 * Makes the received file a document, which is then processed.
 * @throws AppError `not_found`, `plan_limit_exceeded`, `unavailable` when the file was given up meanwhile
 */
export async function addDocument(ctx: Ctx, received: ReceivedFile): Promise<Document> {
  const { id, agentId, filename, format, sizeBytes, removal } = received;
  return inTransaction(ctx, async (tx) => {
    await lockOwnAgent(tx, agentId);
    await requireRoomForDocument(tx);
    if (!(await removal?.withdraw(tx))) throw new AppError('unavailable');
    onCommitted(tx, () => removal?.release());
    const values = [id, agentId, callerId(tx), filename, format, sizeBytes, tx.clock.now()];
    const [document] = await tx.sql<Document>(insertDocument, values);
    if (!document) throw notFound();
    await enqueueProcessing(tx, id);
    return document;
  });
}

/**
 * Removes a received file that did not become a document. What can't be removed now is removed by the task. False: it
 * had been taken for abandoned.
 */
export async function discardFile(
  ctx: Ctx,
  { id, agentId, removal }: Pick<ReceivedFile, 'id' | 'agentId' | 'removal'>,
): Promise<boolean> {
  if (!removal) return true;
  removal.release();
  try {
    await abandonFile(ctx, { id, agentId });
    return await removal.withdraw(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, 'a refused document left its file for a while');
    return true;
  }
}

/** Removes the file of an upload, unless it has become a document. */
export async function abandonFile(ctx: Ctx, { id, agentId }: { id: string; agentId: string }): Promise<void> {
  const [document] = await ctx.sql(findDocument, [id]);
  if (!document) await ctx.ports.files.delete(documentFileKey({ agentId, id }));
}

const findDocument = { name: 'document_exists', text: `select 1 as found from documents where id = $1` };

/** Three tries: a document that kills its process must not do so for ever. */
export const enqueueProcessing = (ctx: Ctx, documentId: string): Promise<void> =>
  enqueueTask(ctx, 'document.process', { documentId }, { key: documentId, maxAttempts: 3 });

const insertDocument = {
  name: 'document_insert',
  text: `
    with d as (
      insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, created_at)
      values ($1, $2, $3, $4, $5, $6, 'processing', $7) returning *
    )
    select ${documentColumns} from d`,
};
const countDocuments = {
  name: 'documents_count_of_owner',
  text: `select count(*) as total from documents where owner_id = $1 and status <> 'failed'`,
};

/** Holds the owner's row until the transaction ends, so that of many uploads at once no more than allowed get in. @throws AppError `plan_limit_exceeded` */
export async function requireRoomForDocument(ctx: Ctx): Promise<void> {
  const ownerId = callerId(ctx);
  const limit = planLimits[await lockPlan(ctx, ownerId)].knowledgeDocuments;
  if ((await countKnowledgeDocuments(ctx, ownerId)) < limit) return;
  throw new AppError('plan_limit_exceeded', {
    message: `Your plan allows ${limit.toLocaleString('en-US')} knowledge documents. Delete one or choose a larger plan.`,
  });
}

/** The documents of a user that count against the plan: all but the failed ones. */
async function countKnowledgeDocuments(ctx: Ctx, ownerId: string): Promise<number> {
  const [row] = await ctx.sql<{ total: number }>(countDocuments, [ownerId]);
  return row?.total ?? 0;
}

/** Checks the content and stores it, or with no key only checks it. */
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
    // A disk that is full aborts the reading too, which is what the check sees of it.
    const cause = asNoRoom(error);
    throw cause instanceof AppError ? cause : (refusal ?? cause);
  }
  return { sizeBytes, digest: hash.digest('hex') };
}

/** The disk is full, which passes. */
function asNoRoom(error: unknown): unknown {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { code } = e as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
      return new AppError('unavailable', { message: 'There is no room for more files right now.', cause: error });
    }
  }
  return error;
}
