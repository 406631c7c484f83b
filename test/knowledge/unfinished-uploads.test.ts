import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ctx } from '../../src/core/ctx.ts';
import { receiveFile, uploadDocument } from '../../src/knowledge/upload-document.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, type KnowledgePlace } from '../support/knowledge.ts';

let app: TestApp;
let place: KnowledgePlace;
let ctx: Ctx;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  place = await knowledgePlace(app);
  const { userId } = place;
  ctx = app.app.newCtx({ kind: 'user', userId, plan: 'free', scopes: [], sessionId: null, apiKeyId: null, ip: null });
});

const file = (content = 'Otters sleep hand in hand.') => ({
  filename: 'a.txt',
  content: Readable.from([Buffer.from(content)]),
});

/** Files of the store, complete or partial. */
const filesLeft = async (): Promise<string[]> =>
  (await readdir(join(app.dataDir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const removals = async (): Promise<{ id: string; isOff: boolean }[]> =>
  (
    await app.db.query(
      `select key as id, lease_expires_at > now() + interval '10 seconds' as "isOff" from tasks where kind = 'document.abandon'`,
    )
  ).rows;

const letDie = () => app.db.query(`update tasks set lease_expires_at = now() where kind = 'document.abandon'`);

test('removes the file of a process that died before it created the document', async () => {
  const received = await receiveFile(ctx, place.agentId, file());
  expect(await filesLeft()).toEqual([received.id]);
  expect(await removals()).toEqual([{ id: received.id, isOff: true }]);
  received.removal?.release();
  await letDie();
  await eventually(async () => (await filesLeft()).length === 0 && (await removals()).length === 0);
});

test('an upload that was treated as abandoned is refused, and leaves nothing', async () => {
  const request = httpRequest(`${app.baseUrl}${place.documents}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.token}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const status = new Promise<number>((resolve, reject) => {
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
  request.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  request.write('One half. '.repeat(20_000));
  await eventually(async () => (await filesLeft()).length === 1);
  await letDie();
  await eventually(async () => (await filesLeft()).length === 0 && (await removals()).length === 0);
  request.end('The other half.\r\n--b--\r\n');
  expect(await status).toBe(503);
  expect(await filesLeft()).toEqual([]);
  expect((await app.call('GET', place.documents, { as: place.token })).body.total).toBe(0);
});

test('an upload that does not fit on the disk is refused, leaves nothing, and the next one succeeds', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const put = () => Promise.reject(new Error('cannot write', { cause: full }));
  const withoutRoom: Ctx = { ...ctx, ports: { ...ctx.ports, files: { ...ctx.ports.files, put } } };
  await expect(uploadDocument(withoutRoom, place.agentId, file())).rejects.toMatchObject({ code: 'unavailable' });
  expect([await filesLeft(), await removals()]).toEqual([[], []]);
  const document = await uploadDocument(ctx, place.agentId, file());
  expect([await filesLeft(), await removals()]).toEqual([[document.id], []]);
});

test('a file that is refused for its content leaves neither file nor task', async () => {
  await expect(uploadDocument(ctx, place.agentId, file('PK\x03\x04 zip'))).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
  expect([await removals()]).toEqual([[]]);
});
