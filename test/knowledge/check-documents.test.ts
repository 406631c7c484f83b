import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import { checkDocuments } from '../../src/knowledge/check-documents.ts';
import { failDocument } from '../../src/knowledge/processing/process-document.ts';
import { removeOrphans } from '../../src/knowledge/remove-orphans.ts';
import { receiveFile } from '../../src/knowledge/upload-document.ts';
import { newId } from '../../src/core/ids.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, type KnowledgePlace, settled, upload } from '../support/knowledge.ts';

let app: TestApp;
let place: KnowledgePlace;
let ctx: Ctx;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  place = await knowledgePlace(app);
  ctx = app.app.newCtx({ kind: 'system' });
});

const signal = AbortSignal.timeout(120_000);
const read = (id: string) => app.call('GET', `${place.documents}/${id}`, { as: place.token });

async function failedDocument(): Promise<string> {
  const { body } = await upload(app, place, 'a.pdf', '%PDF-1.7 and then nothing');
  expect((await settled(app, place, body.id)).status).toBe('failed');
  return body.id;
}

const insertFailed = (count: number) =>
  app.db.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, error_code, error_message, created_at, completed_at)
     select 'doc_' || gen_random_uuid(), $1, $2, 'a.pdf', 'pdf', 1, 'failed', 'unreadable', '', now(), now()
     from generate_series(1, $3)`,
    [place.agentId, place.userId, count],
  );

describe('a replaced document', () => {
  test('is removed when an instance of an earlier release has finished its replacement', async () => {
    const [old, failed] = [await failedDocument(), await failedDocument()];
    const { body } = await upload(app, place, 'new.txt', 'The office opens at ten.');
    expect((await settled(app, place, body.id)).status).toBe('ready');
    await app.db.query('update documents set replaces = $2 where id = $1', [body.id, old]);
    await app.db.query('update documents set replaces = $2 where id = $1', [failed, body.id]);
    await checkDocuments(ctx, signal);
    expectStatus(await read(old), 404);
    expectStatus(await read(failed), 200);
    expectStatus(await read(body.id), 200);
  });
});

describe('failed documents', () => {
  test('are removed with their files 24 hours after they failed', async () => {
    const [old, recent] = [await failedDocument(), await failedDocument()];
    await app.db.query(`update documents set completed_at = now() - interval '24 hours' where id = $1`, [old]);
    await checkDocuments(ctx, signal);
    expectStatus(await read(old), 404);
    expectStatus(await read(recent), 200);
    await eventually(async () => (await ctx.ports.files.findSize(`agents/${place.agentId}/${old}`)) === null);
    expect(await ctx.ports.files.findSize(`agents/${place.agentId}/${recent}`)).not.toBeNull();
  });

  test('stay when they were retried', async () => {
    const id = await failedDocument();
    await app.db.query(`update documents set completed_at = now() - interval '24 hours' where id = $1`, [id]);
    expectStatus(await app.call('POST', `${place.documents}/${id}/retry`, { as: place.token }), 200);
    await checkDocuments(ctx, signal);
    expect((await settled(app, place, id)).status).toBe('failed');
  });

  test('do not pile up: an account keeps the newest 20', async () => {
    const oldest = await failedDocument();
    await insertFailed(19);
    expectStatus(await read(oldest), 200);
    await insertFailed(1);
    await failedDocument();
    expectStatus(await read(oldest), 404);
    const { rows } = await app.db.query('select count(*)::int as count from documents where owner_id = $1', [
      place.userId,
    ]);
    expect(rows[0].count).toBe(20);
  });

  test('never report a negative duration when the clock was set back meanwhile', async () => {
    const { body } = await upload(app, place, 'a.txt', 'Otters sleep hand in hand.');
    await settled(app, place, body.id);
    await app.db.query(
      `update documents set status = 'processing', completed_at = null, started_at = now() + interval '1 hour' where id = $1`,
      [body.id],
    );
    await failDocument(ctx, body.id, 'processing_failed', 'Processing failed.');
    const { processing } = (await read(body.id)).body;
    expect(processing).toMatchObject({ duration_ms: 0, completed_at: processing.started_at });
  });
});

describe('removeOrphans', () => {
  test('finds chunks of any number of documents, page by page', async () => {
    await app.db.query(
      `insert into chunks (id, document_id, agent_id, position, place, content, language)
       select 'chk_' || n || '_' || p, 'doc_' || md5(n::text), $1, p, '', 'x', 'simple'
       from generate_series(1, 1100) n, generate_series(0, 2) p`,
      [place.agentId],
    );
    expect(await removeOrphans(ctx, 'chunks', signal)).toBe(1_100);
    await eventually(
      async () => (await app.db.query(`select 1 from chunks where id like 'chk_%\\_%' limit 1`)).rowCount === 0,
    );
  });

  test('spares the file of an upload in progress, whatever the clocks say', async () => {
    const actor = { plan: 'free', scopes: [], sessionId: null, apiKeyId: null, ip: null } as const;
    const uploader = app.app.newCtx({ kind: 'user', userId: place.userId, ...actor, scopes: [] });
    const content = Readable.from([Buffer.from('Otters sleep hand in hand.')]);
    const received = await receiveFile(uploader, place.agentId, { filename: 'a.txt', content });
    expect(await removeOrphans(ctx, 'files', signal)).toBe(0);
    received.removal?.release();
  });
});

describe('checkDocuments', () => {
  test('runs every check although one of them fails', async () => {
    const orphan = newId('doc_');
    await ctx.ports.files.put(`agents/${place.agentId}/${orphan}`, Readable.from(['left behind']));
    const broken = () => {
      throw new Error('the store is down');
    };
    const ports: Ports = { ...ctx.ports, vectors: { ...ctx.ports.vectors, documents: broken } };
    const failing = { ...app.app.newCtx({ kind: 'system' }), ports } as Ctx;
    await expect(checkDocuments(failing, signal)).rejects.toThrow('the store is down');
    await eventually(async () => (await ctx.ports.files.findSize(`agents/${place.agentId}/${orphan}`)) === null);
  });
});
