import { pipeline, Readable, Transform } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Ctx } from '../../core/ctx.ts';
import { FileMissing } from '../../core/files.ports.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { onReplica } from '../../core/database/replica.ts';
import type { SqlValue, Statement } from '../../core/database/sql.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { exportKey } from './data-exports.ts';
import type { ExportSection } from '../../core/feature.ts';
import { DataExport } from './data-export.entity.ts';
import { exportLink } from './export-links.ts';
import { removeEarlierExports } from './purge-exports.ts';
import { sendMail } from '../mail/mails.ts';
import { User } from '../user.entity.ts';

const linkLifetimeMs = 7 * 24 * 3_600_000;
const usualPageSize = 200;
const heartbeatBytes = 16 * 1_048_576;

/**
 * Writes the archive of an export to the file store, mails a link to it and removes the archive that it replaces.
 * Memory usage is constant: rows are read in batches and files are streamed. An attempt that is killed leaves nothing
 * and is retried.
 */
export async function writeDataExport(ctx: Ctx, exportId: string, run: TaskRun): Promise<void> {
  const requested = await ctx.em.findOne(DataExport, { id: exportId, status: 'processing' });
  if (!requested) return;
  const sizeBytes = await store(ctx, requested.userId, exportKey(requested.userId, exportId), run);
  await inTransaction(ctx, async (tx) => {
    await markReady(tx, requested, sizeBytes);
    await run.complete(tx);
  });
  await removeEarlierExports(ctx, requested).catch((error: unknown) =>
    ctx.log.warn({ err: error, exportId }, 'could not remove a replaced export, it is removed when it expires'),
  );
}

async function markReady(tx: Ctx, { id, userId }: DataExport, sizeBytes: number): Promise<void> {
  const completedAt = tx.clock.now();
  const expiresAt = new Date(completedAt.getTime() + linkLifetimeMs);
  const ready = { status: 'ready', sizeBytes, completedAt, expiresAt } as const;
  if ((await tx.em.nativeUpdate(DataExport, { id, status: 'processing' }, ready)) === 0) return;
  const url = exportLink(tx.config.authKeys, tx.config.publicUrl, id, expiresAt);
  await sendMail(tx, { userId, template: 'exportReady', data: { url, expiresAt: expiresAt.toISOString() } });
}

/** Marks an export as failed and mails its owner. Call it in a transaction. */
export async function failDataExport(tx: Ctx, exportId: string): Promise<void> {
  const requested = await tx.em.findOne(DataExport, { id: exportId, status: 'processing' });
  const owner = requested && (await tx.em.findOne(User, { id: requested.userId }));
  if (!owner) return;
  tx.em.assign(requested, { status: 'failed', completedAt: tx.clock.now() });
  await tx.em.flush();
  await sendMail(tx, { userId: owner.id, template: 'exportFailed', data: { username: owner.username } });
}

async function store(ctx: Ctx, userId: string, key: string, run: TaskRun): Promise<number> {
  const zip = new ZipFile();
  const counter = byteCounter(run);
  // yazl does not end its output when an entry fails, so the archive would never be complete.
  const fail = (error: Error) => counter.stream.destroy(error);
  zip.on('error', fail);
  run.signal.addEventListener('abort', () => fail(run.signal.reason as Error), { once: true });
  run.signal.throwIfAborted();
  pipeline(zip.outputStream, counter.stream, () => undefined);
  for (const section of ctx.catalog.exportSections) {
    addLazily(zip, section.path, async () => Readable.from(jsonArray(ctx, userId, section, run.signal)));
  }
  for (const files of ctx.catalog.exportFiles) {
    for await (const { name, key: original } of files(ctx, userId)) {
      addLazily(zip, `files/${safeName(name)}`, () => openIfExists(ctx, original));
    }
  }
  zip.end();
  await ctx.ports.files.put(key, counter.stream);
  return counter.sizeBytes();
}

// Lazy: the stream is opened only when the archive reaches the entry.
const addLazily = (zip: ZipFile, path: string, open: () => Promise<Readable>): void =>
  zip.addReadStreamLazy(path, {}, (done) => {
    open().then(
      (stream) =>
        done(
          null,
          stream.once('error', (error) => zip.emit('error', error)),
        ),
      (error: unknown) => zip.emit('error', error),
    );
  });

interface Row {
  created_at: Date;
  id: string;
}

const readBatch = onReplica((ctx, statement: Statement, values: readonly SqlValue[]): Promise<Row[]> =>
  ctx.sql<Row>(statement, values),
);

async function* jsonArray(ctx: Ctx, userId: string, section: ExportSection, signal: AbortSignal) {
  const { statement, pageSize = usualPageSize } = section;
  let after: Row = { created_at: new Date(0), id: '' };
  let separator = '[\n';
  for (let full = true; full;) {
    signal.throwIfAborted();
    const rows = await readBatch(ctx, statement, [userId, after.created_at, after.id, pageSize]);
    full = rows.length === pageSize;
    after = rows.at(-1) ?? after;
    if (rows.length > 0) yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    if (rows.length > 0) separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Returns an empty stream for a document that was deleted after the archive was started. */
async function openIfExists(ctx: Ctx, key: string): Promise<Readable> {
  try {
    return await ctx.ports.files.get(key);
  } catch (error) {
    if (error instanceof FileMissing) return Readable.from([]);
    throw error;
  }
}

/** Returns a file name that stays in its folder with any extraction tool. */
const safeName = (name: string): string => name.replace(/[\p{Cc}<>:"/\\|?*]/gu, '_').replace(/^\.+/, '_') || '_';

function byteCounter(run: TaskRun) {
  let sizeBytes = 0;
  let sinceHeartbeat = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      sinceHeartbeat += chunk.length;
      if (sinceHeartbeat < heartbeatBytes) return done(null, chunk);
      sinceHeartbeat = 0;
      run.heartbeat().then(() => done(null, chunk), done);
    },
  });
  return { stream, sizeBytes: () => sizeBytes };
}
