import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { fetchImage, imageForm, pathOf, picture, uploadImage } from '../support/images.ts';

let app: TestApp;
let owner: Account;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signUp({ plan: 'pro' });
});
afterAll(() => app.close());

const storedFiles = async (): Promise<string[]> =>
  (await readdir(join(app.dataDir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.parentPath.includes('/images/'))
    .map(({ name }) => name);

describe('an uploaded image', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('may be %s, and is served as WebP', async (format) => {
    const { status, body } = await uploadImage(app, owner.token, await picture(300, 200, format));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'ready',
      source: 'uploaded',
      kind: 'avatar',
      prompt: null,
      ai_generated: false,
    });
    const bytes = await fetchImage(app, body.urls.large);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1_024, height: 1_024 });
    expect(bytes.toString('latin1')).not.toContain('trainedAlgorithmicMedia');
    expect((await app.call('GET', `/v1/images/${body.id}/original`, { as: owner.token })).status).toBe(404);
  });

  test('keeps the first frame of an animation', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 200, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = await Promise.all([frame('#ff0000'), frame('#0000ff')]);
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { body } = await uploadImage(app, owner.token, new Uint8Array(animation));
    const { dominant } = await sharp(await fetchImage(app, body.urls.small)).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(60);
  });

  test('loses its metadata, such as place, author and camera, and is rotated by its orientation', async () => {
    const photo = await sharp(Buffer.from(await picture(600, 300, 'jpeg')))
      .withExif({ IFD0: { Copyright: 'secret-person', Make: 'secret-camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(photo.toString('latin1')).toContain('secret-camera');
    const { body } = await uploadImage(app, owner.token, new Uint8Array(photo));
    for (const url of Object.values(body.urls) as string[]) {
      const bytes = await fetchImage(app, url);
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
      expect(bytes.toString('latin1')).not.toMatch(/secret|GPS/);
    }
  });

  test('serves nothing of a page hidden in an image', async () => {
    const page = '<html><script>alert(document.cookie)</script></html>';
    const jpeg = Buffer.from(await picture(300, 300, 'jpeg'));
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), Buffer.from(page)]);
    const polyglot = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), Buffer.from(page)]);
    const { body } = await uploadImage(app, owner.token, new Uint8Array(polyglot));
    for (const url of Object.values(body.urls) as string[])
      expect((await fetchImage(app, url)).toString('latin1')).not.toContain('script');
  });

  test('is applied immediately on request, does not count against the day, and can be repeated', async () => {
    const { token, id } = await app.signUp();
    const agent = await app.createAgent(token);
    const content = await picture(200, 200);
    const send = () =>
      app.call('POST', '/v1/images/uploads', {
        as: token,
        body: imageForm(content, { kind: 'avatar', agent_id: agent.id, apply: 'true' }),
        headers: { 'idempotency-key': 'one-picture' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(first.body).toMatchObject({ agent_id: agent.id, expires_at: null });
    expect((await app.call('GET', `/v1/agents/${agent.id}`, { as: token })).body.avatar_url).toBe(
      first.body.urls.large,
    );
    expect((await app.db.query('select 1 from usage_counters where user_id = $1', [id])).rowCount).toBe(0);
    expect((await app.call('GET', '/v1/images', { as: token })).body.total).toBe(1);
  });
});

describe('an upload is refused', () => {
  const html = '<html><script>alert(1)</script></html>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"/>';
  const pngSigned = (rest: string) => new Uint8Array(Buffer.from(`\x89PNG\r\n\x1a\n${rest}`, 'latin1'));
  const refused: [string, () => Promise<Uint8Array<ArrayBuffer> | string>, number, string][] = [
    ['HTML named .png', async () => html, 415, 'unsupported_media_type'],
    ['SVG named .png', async () => svg, 415, 'unsupported_media_type'],
    ['SVG behind a PNG signature', async () => pngSigned(svg), 400, 'unreadable'],
    ['TIFF', async () => picture(200, 200, 'tiff'), 415, 'unsupported_media_type'],
    ['an empty file', async () => '', 400, 'empty'],
    ['a byte more than 5 MB', async () => pngSigned('x'.repeat(5 * 1_048_576)), 413, 'payload_too_large'],
    ['a PNG that ends too early', async () => (await picture(400, 400)).slice(0, 9_000), 400, 'unreadable'],
    ['127 pixels', async () => picture(300, 127), 400, 'too_small'],
    ['26 megapixels', async () => blank(6_500, 4_000), 400, 'too_large'],
  ];
  const blank = async (width: number, height: number) =>
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    );
  const codeOf = ({ code, details }: { code: string; details?: { code: string }[] }) => details?.[0]?.code ?? code;

  test.each(refused)('for %s', async (_what, content, status, code) => {
    const before = (await storedFiles()).length;
    const bytes = await content();
    const answer = await uploadImage(app, owner.token, bytes);
    expect([answer.status, codeOf(answer.body.error)]).toEqual([status, code]);
    expect((await storedFiles()).length).toBe(before);
  });

  test('for another user’s agent, an unknown kind, a second file, and a form without a file', async () => {
    const other = await app.signUp();
    const foreign = await app.createAgent(other.token, { is_public: true });
    const content = await picture(200, 200);
    expect((await uploadImage(app, owner.token, content, { kind: 'avatar', agent_id: foreign.id })).status).toBe(404);
    const unknown = await uploadImage(app, owner.token, content, { kind: 'poster' });
    expect([unknown.status, unknown.body.error.details[0].field]).toEqual([400, 'kind']);
    const twice = new FormData();
    twice.append('kind', 'avatar');
    for (const name of ['a.png', 'b.png']) twice.append('file', new Blob([Uint8Array.from(content)]), name);
    const second = await app.call('POST', '/v1/images/uploads', { as: owner.token, body: twice });
    expect([second.status, second.body.error.details[0]]).toEqual([
      400,
      expect.objectContaining({ field: 'file', code: 'repeated' }),
    ]);
    const form = new FormData();
    form.append('kind', 'avatar');
    expect((await app.call('POST', '/v1/images/uploads', { as: owner.token, body: form })).status).toBe(400);
  });

  test('beyond the number of stored images, and leaves no file, in REST and in GraphQL', async () => {
    const { token, id } = await app.signUp();
    await app.db.query(
      `insert into images (id, owner_id, kind, source, status, token, created_at)
       select 'img_' || gen_random_uuid(), $1, 'avatar', 'uploaded', 'ready', 'kept' || n || $1, now() from generate_series(1, 20) n`,
      [id],
    );
    const before = (await storedFiles()).length;
    const answer = await uploadImage(app, token, await picture(200, 200));
    expect([answer.status, answer.body.error.code]).toEqual([403, 'plan_limit_exceeded']);
    const file = { filename: 'picture.png', base64: Buffer.from(await picture(200, 200)).toString('base64') };
    const document = 'mutation ($file: Upload!) { uploadImage(input: { file: $file, kind: AVATAR }) { id } }';
    const refused = await app.graphql(document, { as: token, variables: { file } });
    expect(refused.body.errors[0].extensions.code).toBe('PLAN_LIMIT_EXCEEDED');
    expect((await storedFiles()).length).toBe(before);
    expect(await app.db.query(`select from tasks where kind = 'image.abandon'`)).toMatchObject({ rows: [] });
  });
});

test('deleting an image removes its files', async () => {
  const { body } = await uploadImage(app, owner.token, await picture(200, 200));
  const folder = join(app.dataDir, 'files', 'images', body.id);
  expect(existsSync(folder)).toBe(true);
  expectStatus(await app.call('DELETE', `/v1/images/${body.id}`, { as: owner.token }), 200);
  expect((await app.send('GET', pathOf(body.urls.large))).status).toBe(404);
  await eventually(() => !existsSync(folder));
});
