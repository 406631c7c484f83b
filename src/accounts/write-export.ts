import { pipeline, Readable, Transform } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Ctx } from '../core/ctx.ts';
import { FileMissing } from '../core/files.ports.ts';
import type { TaskRun } from '../core/task-handler.ts';
import { inTransaction } from '../core/transaction.ts';
import { exportKey } from './data-exports.ts';
import type { ExportSection } from './export.ports.ts';
import { exportLink } from './export-links.ts';
import { sendMail } from './mails.ts';

const linkLifetimeMs = 7 * 24 * 3_600_000;
const batchSize = 200;
const heartbeatBytes = 16 * 1_048_576;

const findUser = {
  name: 'export_user',
  text: `select user_id as "userId" from data_exports where id = $1 and status = 'processing'`,
};
const markReady = {
  name: 'export_ready',
  text: `
    update data_exports set status = 'ready', size_bytes = $2, completed_at = $3, expires_at = $4
    where id = $1 and status = 'processing' returning 1`,
};
const markFailed = {
  name: 'export_failed',
  text: `
    update data_exports e set status = 'failed', completed_at = $2 from users u
    where e.id = $1 and e.status = 'processing' and u.id = e.user_id returning u.id, u.username`,
};

/**
 * Writes the archive of an export to the file store and mails its link. Memory stays the same however much there is:
 * rows are read in batches, files streamed. A killed try leaves nothing and is made again.
 */
export async function writeDataExport(ctx: Ctx, exportId: string, run: TaskRun): Promise<void> {
  const [found] = await ctx.sql<{ userId: string }>(findUser, [exportId]);
  if (!found) return;
  const { userId } = found;
  const sizeBytes = await store(ctx, userId, exportKey(userId, exportId), run);
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const expiresAt = new Date(now.getTime() + linkLifetimeMs);
    if ((await tx.sql(markReady, [exportId, sizeBytes, now, expiresAt])).length > 0) {
      const url = exportLink(tx.config.authKeys, tx.config.publicUrl, exportId, expiresAt);
      await sendMail(tx, { userId, template: 'exportReady', data: { url, expiresAt: expiresAt.toISOString() } });
    }
    await run.complete(tx);
  });
}

/** Gives an export up, and says so to its owner. */
export async function failDataExport(ctx: Ctx, exportId: string): Promise<void> {
  const [owner] = await ctx.sql<{ id: string; username: string }>(markFailed, [exportId, ctx.clock.now()]);
  if (owner) await sendMail(ctx, { userId: owner.id, template: 'exportFailed', data: { username: owner.username } });
}

async function store(ctx: Ctx, userId: string, key: string, run: TaskRun): Promise<number> {
  const zip = new ZipFile();
  const counter = byteCounter(run);
  // yazl does not end its output when a part fails: the archive would wait for ever.
  const fail = (error: Error) => counter.stream.destroy(error);
  zip.on('error', fail);
  run.signal.addEventListener('abort', () => fail(run.signal.reason as Error), { once: true });
  run.signal.throwIfAborted();
  pipeline(zip.outputStream, counter.stream, () => undefined);
  for (const section of ctx.ports.dataExport.sections) {
    addLazily(zip, section.path, async () => Readable.from(jsonArray(ctx, userId, section, run.signal)));
  }
  for (const files of ctx.ports.dataExport.files) {
    for await (const { name, key: original } of files(ctx, userId)) {
      addLazily(zip, `files/${safeName(name)}`, () => openIfThere(ctx, original));
    }
  }
  zip.end();
  await ctx.ports.files.put(key, counter.stream);
  return counter.sizeBytes();
}

// Lazily: a stream is opened when it is its turn.
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

async function* jsonArray(ctx: Ctx, userId: string, { statement }: ExportSection, signal: AbortSignal) {
  let after: { created_at: Date; id: string } = { created_at: new Date(0), id: '' };
  let separator = '[\n';
  for (let full = true; full;) {
    signal.throwIfAborted();
    const rows = await ctx.sql<typeof after>(statement, [userId, after.created_at, after.id, batchSize]);
    full = rows.length === batchSize;
    after = rows.at(-1) ?? after;
    if (rows.length > 0) yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    if (rows.length > 0) separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** A document that was deleted since the archive was begun is an empty file in it. */
async function openIfThere(ctx: Ctx, key: string): Promise<Readable> {
  try {
    return await ctx.ports.files.get(key);
  } catch (error) {
    if (error instanceof FileMissing) return Readable.from([]);
    throw error;
  }
}

/** A name that stays in its folder, whatever unpacks it. */
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
