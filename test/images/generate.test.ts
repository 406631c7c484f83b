import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { fetchImage, madeImage, pathOf } from '../support/images.ts';

let app: TestApp;
let owner: Account;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.reset();
  owner = await app.signUp({ plan: 'plus' });
});

const make = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST', '/v1/images', { as: owner.token, body, headers });
const owl = { kind: 'avatar', prompt: 'A friendly owl.' };
const imagesOfToday = async (): Promise<number> =>
  (await app.db.query('select images from usage_counters where user_id = $1', [owner.id])).rows[0]?.images ?? 0;
const providerCalls = () => app.model.requests.filter(({ path }) => path === '/v1/images/generations');

describe('image generation', () => {
  test('returns 202, then three WebP files of the right sizes that are marked as AI-generated', async () => {
    const { status, body } = await make({ ...owl, style: 'watercolor' });
    expect(status).toBe(202);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      kind: 'avatar',
      source: 'generated',
      status: 'processing',
      prompt: owl.prompt,
      style: 'watercolor',
      agent_id: null,
      urls: null,
      placeholder: null,
      ai_generated: true,
      error: null,
      expires_at: null,
    });
    const image = await madeImage(app, owner.token, body.data[0].id);
    expect(image).toMatchObject({ status: 'ready', error: null });
    expect(image.placeholder.length).toBeLessThanOrEqual(300);
    expect(image.placeholder).toMatch(/^data:image\/webp;base64,/);
    for (const [name, edge] of [
      ['small', 64],
      ['medium', 256],
      ['large', 1_024],
    ] as const) {
      const bytes = await fetchImage(app, image.urls[name]);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: edge, height: edge });
      expect(bytes.toString('latin1')).toContain('digitalsourcetype/trainedAlgorithmicMedia');
    }
    expect(Date.parse(image.expires_at) - Date.parse(image.created_at)).toBeGreaterThan(6.9 * 86_400_000);
  });

  test('generates a banner three times as wide as high', async () => {
    const { body } = await make({ kind: 'banner', prompt: 'Hills at dawn.' });
    const { urls } = await madeImage(app, owner.token, body.data[0].id);
    expect(urls.small).toBeNull();
    const sizes = await Promise.all(
      [urls.medium, urls.large].map(async (url) => sharp(await fetchImage(app, url)).metadata()),
    );
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [768, 256],
      [1_536, 512],
    ]);
  });

  test('counts four drafts against the day, and generates at most two at a time', async () => {
    const open = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'images', gate: open.promise, times: 4 });
    const { body } = await make({ ...owl, count: 4 });
    expect(new Set(body.data.map(({ id }: { id: string }) => id)).size).toBe(4);
    expect(await imagesOfToday()).toBe(4);
    await eventually(() => providerCalls().length === 2);
    expect((await app.call('GET', '/v1/images?status=processing', { as: owner.token })).body.total).toBe(4);
    const started = await app.db.query('select 1 from images where owner_id = $1 and started_at is not null', [
      owner.id,
    ]);
    expect(started.rowCount).toBe(2);
    open.resolve();
    const made = await Promise.all(body.data.map(({ id }: { id: string }) => madeImage(app, owner.token, id)));
    expect(made.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready']);
    const pictures = await Promise.all(
      made.map(async ({ urls }) => (await fetchImage(app, urls.small)).toString('hex')),
    );
    expect(new Set(pictures).size).toBe(4);
  });

  test('describes an agent without its instructions, and shows the image on it', async () => {
    const agent = await app.createAgent(owner.token, {
      name: 'Captain Fern',
      description: 'Knows every plant.',
      instructions: 'secret-instructions',
    });
    const { body } = await make({ kind: 'avatar', agent_id: agent.id, apply: true });
    const image = await madeImage(app, owner.token, body.data[0].id);
    const [call] = providerCalls();
    expect(call?.body['prompt']).toContain('Captain Fern');
    expect(call?.body['prompt']).toContain('Knows every plant.');
    expect(JSON.stringify(app.model.requests)).not.toContain('secret-instructions');
    expect(call?.body['safety_identifier']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(call?.body)).not.toContain(owner.id);
    const { body: shown } = await app.call('GET', `/v1/agents/${agent.id}`, { as: owner.token });
    expect(shown.avatar_url).toBe(image.urls.large);
    expect(image.expires_at).toBeNull();
  });

  test('does not apply an image where another picture was chosen meanwhile', async () => {
    const agent = await app.createAgent(owner.token);
    const open = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'images', gate: open.promise });
    const { body } = await make({ kind: 'avatar', agent_id: agent.id, apply: true });
    const chosen = 'https://example.com/own.png';
    await app.call('PUT', `/v1/agents/${agent.id}`, { as: owner.token, body: { avatar_url: chosen } });
    open.resolve();
    expect(await madeImage(app, owner.token, body.data[0].id)).toMatchObject({ status: 'ready' });
    expect((await app.call('GET', `/v1/agents/${agent.id}`, { as: owner.token })).body.avatar_url).toBe(chosen);
  });

  test('repeats the response of an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one-owl' };
    const [first, second] = [await make(owl, key), await make(owl, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await imagesOfToday()).toBe(1);
  });

  test('publishes image.ready and image.failed', async () => {
    await make(owl);
    const { body } = await make({ kind: 'avatar', prompt: 'Nothing good. [[refuse]]' });
    await madeImage(app, owner.token, body.data[0].id);
    const types = await eventually(async () => {
      const { rows } = await app.db.query(
        `select type, data->>'status' as status from outbox_events where account_id = $1 and type like 'image.%' order by type`,
        [owner.id],
      );
      return rows.length === 2 ? rows : null;
    });
    expect(types).toEqual([
      { type: 'image.failed', status: 'failed' },
      { type: 'image.ready', status: 'ready' },
    ]);
  });

  test('gives the provider’s original to the owner alone', async () => {
    const { body } = await make(owl);
    const { id } = await madeImage(app, owner.token, body.data[0].id);
    const response = await app.send('GET', `/v1/images/${id}/original`, { as: owner.token });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      width: 1_024,
    });
    const other = await app.signUp();
    expect((await app.send('GET', `/v1/images/${id}/original`, { as: other.token })).status).toBe(404);
  });
});

describe('an image is not generated', () => {
  const failures = [
    ['[[refuse]]', 'content_refused'],
    ['[[fail:400]]', 'upstream_error'],
  ] as const;
  test.each(failures)(
    'when the provider responds with %s, and does not count against the day',
    async (marker, code) => {
      const { status, body } = await make({ kind: 'avatar', prompt: `An owl. ${marker}` });
      expect(status).toBe(202);
      const image = await madeImage(app, owner.token, body.data[0].id);
      expect(image).toMatchObject({ status: 'failed', urls: null, error: { code } });
      expect(image.error.message).toMatch(/\w+/);
      expect(await imagesOfToday()).toBe(0);
    },
  );

  test('when the picture itself is flagged', async () => {
    const results = [{ flagged: true, categories: { violence: true } }];
    const isPicture = (body: Record<string, unknown>) => JSON.stringify(body).includes('data:image/webp');
    app.model.script({ endpoint: 'moderations', when: isPicture, answer: { id: 'm', model: 'm', results } });
    const { body } = await make(owl);
    expect(await madeImage(app, owner.token, body.data[0].id)).toMatchObject({ error: { code: 'content_refused' } });
    expect(await imagesOfToday()).toBe(0);
  });

  const invalid: [string, object, string][] = [
    ['neither a prompt nor an agent', { kind: 'avatar' }, 'prompt'],
    ['an unknown kind', { kind: 'poster', prompt: 'x' }, 'kind'],
    ['five drafts', { ...owl, count: 5 }, 'count'],
    ['a prompt of 1,001 characters', { kind: 'avatar', prompt: 'x'.repeat(1_001) }, 'prompt'],
    ['several drafts to show', { ...owl, count: 2, apply: true }, 'apply'],
  ];
  test.each(invalid)('for %s', async (_what, body, field) => {
    const answer = await make(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe(field);
    expect(await imagesOfToday()).toBe(0);
  });

  test('for a flagged prompt, before anything is charged', async () => {
    const { status, body } = await make({ kind: 'avatar', prompt: 'Bad. [[flag:violence]]' });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'prompt', code: 'content_refused' }],
    });
    expect(providerCalls()).toHaveLength(0);
    expect(await imagesOfToday()).toBe(0);
  });

  test('while prompts cannot be checked', async () => {
    app.model.script({ endpoint: 'moderations', status: 500, times: 9 });
    const { status, headers, body } = await make(owl);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(providerCalls()).toHaveLength(0);
  });

  test('for another user’s agent, with the response for none', async () => {
    const other = await app.signUp();
    const foreign = await app.createAgent(other.token, { is_public: true });
    const [answer, none] = [
      await make({ kind: 'avatar', agent_id: foreign.id }),
      await make({ kind: 'avatar', agent_id: '00000000-0000-7000-8000-000000000000' }),
    ];
    expect([answer.status, answer.body]).toEqual([404, none.body]);
  });
});

describe('an image', () => {
  test('is deleted with its addresses, unless it is shown somewhere', async () => {
    const agent = await app.createAgent(owner.token, { name: 'Fern' });
    const { body } = await make(owl);
    const image = await madeImage(app, owner.token, body.data[0].id);
    const apply = (target: object) =>
      app.call('POST', `/v1/images/${image.id}/apply`, { as: owner.token, body: target });
    expectStatus(await apply({ agent_id: agent.id }), 200);
    expectStatus(await apply({ profile: true }), 200);
    const refused = await app.call('DELETE', `/v1/images/${image.id}`, { as: owner.token });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    expect(refused.body.error.message).toMatch(/Fern.*profile/);
    const gone = await app.call('DELETE', `/v1/images/${image.id}?force=true`, { as: owner.token });
    expect(gone.body).toEqual({ id: image.id, deleted: true });
    expect((await app.call('GET', `/v1/agents/${agent.id}`, { as: owner.token })).body.avatar_url).toBeNull();
    expect((await app.call('GET', '/v1/auth/me', { as: owner.token })).body.avatar_url).toBeNull();
    for (const url of Object.values(image.urls) as string[])
      expect((await app.send('GET', pathOf(url))).status).toBe(404);
  });

  test('of another user does not exist for any operation', async () => {
    const { body } = await make(owl);
    const { id } = await madeImage(app, owner.token, body.data[0].id);
    const other = await app.signUp();
    const agent = await app.createAgent(other.token);
    const answers = [
      await app.call('GET', `/v1/images/${id}`, { as: other.token }),
      await app.call('DELETE', `/v1/images/${id}`, { as: other.token }),
      await app.call('POST', `/v1/images/${id}/apply`, { as: other.token, body: { agent_id: agent.id } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const foreignAgent = await app.call('POST', `/v1/images/${id}/apply`, {
      as: owner.token,
      body: { agent_id: agent.id },
    });
    expect(foreignAgent.status).toBe(404);
    expect((await app.call('GET', '/v1/images', { as: other.token })).body).toMatchObject({ data: [], total: 0 });
  });

  test('needs the scope of what it is shown on', async () => {
    const agent = await app.createAgent(owner.token);
    const { body } = await make(owl);
    const { id } = await madeImage(app, owner.token, body.data[0].id);
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: owner.token,
      body: { name: 'k', scopes: ['images:write'] },
    });
    const answer = await app.call('POST', `/v1/images/${id}/apply`, { as: key.body.key, body: { agent_id: agent.id } });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
  });
});
