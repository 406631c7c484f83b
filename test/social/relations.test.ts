import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { aggregateNotes } from '../../src/social/counters/aggregate.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { picture, uploadImage } from '../support/images.ts';
import { type Named, socialOf } from '../support/social.ts';

let app: TestApp;
let social: ReturnType<typeof socialOf>;
let ada: Named;
let bob: Named;
beforeAll(async () => {
  app = await startTestApp();
  social = socialOf(app);
  [ada, bob] = await Promise.all([social.person('ada'), social.person('bob')]);
});
afterAll(() => app.close());

const profileOf = async (of: Named, as?: Named) =>
  expectStatus(await app.call('GET', `/v1/users/${of.name}`, { as: as?.token }), 200).body;

describe('a public profile', () => {
  test('is the same without a credential, and holds nothing private', async () => {
    const seen = await profileOf(ada);
    expect(seen).toEqual({
      id: ada.id,
      username: ada.name,
      display_name: null,
      avatar_url: null,
      banner_url: null,
      bio: null,
      agent_count: 0,
      follower_count: 0,
      following_count: 0,
      created_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
      ai_generated: false,
    });
    expect(await profileOf(ada, bob)).toEqual({ ...seen, followed: false, muted: false });
    expect(await social.get('/social/profile', ada)).toMatchObject({
      visibility: 'public',
      show_following: true,
      show_mature: false,
    });
  });

  test('counts and lists public agents only, in the shape of explore', async () => {
    const maker = await social.person('maker');
    await app.createAgent(maker.token);
    const { id } = await app.createAgent(maker.token, { name: 'Open', is_public: true });
    expect((await profileOf(maker)).agent_count).toBe(1);
    const { data, total } = (await app.call('GET', `/v1/users/${maker.name}/agents`)).body;
    expect([data.map((agent: { id: string }) => agent.id), total]).toEqual([[id], 1]);
    expect(data[0]).not.toHaveProperty('instructions');
  });

  test('that is hidden does not exist for others, in any way', async () => {
    const hidden = await social.person('hidden');
    await social.put(`/social/following/${hidden.id}`, bob);
    await social.put('/social/profile', hidden, { visibility: 'hidden' });
    const missing = await app.call('GET', '/v1/users/no-such-user', { as: bob.token });
    const answers = [
      await app.call('GET', `/v1/users/${hidden.name}`, { as: bob.token }),
      await app.call('GET', `/v1/users/${hidden.name}`),
      await app.call('GET', `/v1/users/${hidden.name}/agents`),
      await app.call('GET', `/v1/users/${hidden.name}/followers`, { as: bob.token }),
      await app.call('PUT', `/v1/social/following/${hidden.id}`, { as: ada.token }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body.error, request_id: '' }).toEqual({ ...missing.body.error, request_id: '' });
    }
    expect((await social.get('/social/following', bob)).data.map(({ id }: { id: string }) => id)).not.toContain(
      hidden.id,
    );
    expect(await profileOf(hidden, hidden)).toMatchObject({ visibility: 'hidden' });
  });

  test('shows a banner that is applied to it, and loses it with the image', async () => {
    const decorated = await social.person('decorated');
    const { body: image } = await uploadImage(app, decorated.token, await picture(900, 300), {
      kind: 'banner',
      apply: true,
    });
    const bannerOf = async () => (await app.call('GET', `/v1/users/${decorated.name}`)).body.banner_url;
    expect([await bannerOf(), image.expires_at]).toEqual([image.urls.large, null]);
    const path = `/v1/images/${image.id}`;
    const refused = await app.call('DELETE', path, { as: decorated.token });
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('your profile')]);
    expectStatus(await app.call('DELETE', `${path}?force=true`, { as: decorated.token }), 200);
    expect(await bannerOf()).toBeNull();
  });

  test('refuses a banner that is no banner image of the user', async () => {
    for (const banner_url of [
      '',
      'https://elsewhere.example/a.png',
      `${app.baseUrl}/images/${'a'.repeat(22)}/large.webp`,
    ]) {
      const { status, body } = await social.send('PUT', '/social/profile', ada, { banner_url });
      expect([status, body.error.details[0].code]).toEqual([400, 'not_own_image']);
    }
  });
});

describe('following an account', () => {
  test('exists once however often it is made, and is counted once', async () => {
    const [fan, star] = await Promise.all([social.person('fan'), social.person('star')]);
    const path = `/social/following/${star.id}`;
    const states = await Promise.all(Array.from({ length: 8 }, () => social.put(path, fan)));
    expect(states).toEqual(states.map(() => ({ user_id: star.id, followed: true })));
    expect(await profileOf(star, fan)).toMatchObject({ follower_count: 1, followed: true });
    expect((await profileOf(fan)).following_count).toBe(1);
    const { data, total } = await social.get('/social/followers', star);
    expect([data[0].username, total]).toEqual([fan.name, 1]);
    expect((await social.get(`/users/${star.name}/followers`, ada)).data[0].id).toBe(fan.id);
    expect(await social.remove(path, fan)).toEqual({ user_id: star.id, followed: false });
    expect(await social.remove(path, fan)).toEqual({ user_id: star.id, followed: false });
    expect((await profileOf(star)).follower_count).toBe(0);
  });

  test('returns 400 for oneself and 404 for an unknown account', async () => {
    const self = await social.send('PUT', `/social/following/${ada.id}`, ada);
    expect([self.status, self.body.error.details[0].field]).toEqual([400, 'user_id']);
    expect(
      await social.statuses(
        social.send('PUT', '/social/following/usr_00000000-0000-7000-8000-000000000000', ada),
        social.send('PUT', '/social/following/nonsense', ada),
      ),
    ).toEqual([404, 404]);
  });

  test('is refused above 2,000 with 409, and above 400 new ones a day with 429', async () => {
    const collector = await social.person('collector');
    const follow = (id: string) => social.send('PUT', `/social/following/${id}`, collector);
    await app.db.query(
      `with made as (
         insert into users (id, email, username, password_hash, created_at, updated_at)
         select 'usr_' || gen_random_uuid(), 'many' || i || '@example.com', 'many' || i, '', now(), now()
         from generate_series(1, 2000) i returning id)
       insert into follows (follower_id, followee_id, created_at) select $1, id, now() from made`,
      [collector.id],
    );
    const full = await follow(ada.id);
    expect([full.status, full.body.error.code]).toEqual([409, 'conflict']);
    await app.db.query(`delete from follows where follower_id = $1`, [collector.id]);
    await social.remove(`/social/following/${ada.id}`, collector);
    await app.db.query(`update social_days set follows = 400 where user_id = $1`, [collector.id]);
    expect(await follow(ada.id)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    await app.db.query(`update social_days set follows = 399 where user_id = $1`, [collector.id]);
    expect(await social.statuses(follow(ada.id))).toEqual([200]);
    await app.db.query(`update social_days set writes = 1000 where user_id = $1`, [collector.id]);
    const over = await social.send('DELETE', `/social/following/${ada.id}`, collector);
    expect(over.status).toBe(429);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is refused beyond the hourly attempts, which open a moderation case', async () => {
    const robot = await social.person('robot');
    const strict = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { DATA_DIR: app.dataDir, RATE_LIMITS: JSON.stringify({ followsPerHour: 2 }) },
    });
    try {
      const follow = () => strict.call('PUT', `/v1/social/following/${ada.id}`, { as: robot.token });
      const openCases = async () =>
        (await app.db.query(`select marks from moderation_cases where id = $1 and is_open`, [`user:${robot.id}`])).rows;
      expect(await social.statuses(follow())).toEqual([200]);
      // Attempts count, whether they succeed or not.
      expect((await strict.call('PUT', `/v1/social/following/${newId('usr_')}`, { as: robot.token })).status).toBe(404);
      expect(await openCases()).toEqual([]);
      const over = await follow();
      expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(60);
      expect(await openCases()).toEqual([{ marks: ['follow_spam'] }]);
      const undone = await strict.call('DELETE', `/v1/social/following/${ada.id}`, { as: robot.token });
      expect(undone.status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('is not listed for others when the user does not show whom they follow', async () => {
    await social.put(`/social/following/${bob.id}`, ada);
    expect((await social.get(`/users/${ada.name}/following`, bob)).total).toBe(1);
    await social.put('/social/profile', ada, { show_following: false });
    expect(await social.statuses(social.send('GET', `/users/${ada.name}/following`, bob))).toEqual([404]);
    expect((await social.get(`/users/${ada.name}/following`, ada)).total).toBe(1);
    await social.put('/social/profile', ada, { show_following: true });
    expect((await app.call('GET', `/v1/users/${ada.name}/following`)).status).toBe(401);
  });
});

describe('a like', () => {
  test('is counted once a person, however many like and unlike at once', async () => {
    const agent = await app.createAgent(ada.token, { is_public: true });
    const path = `/social/likes/${agent.id}`;
    const people = await Promise.all(Array.from({ length: 10 }, (_, i) => social.person(`p${i}`)));
    await Promise.all(
      people.flatMap((person, i) =>
        Array.from({ length: 10 }, (_, n) => social.send((i + n) % 3 === 0 ? 'DELETE' : 'PUT', path, person)),
      ),
    );
    const seen = async () =>
      (
        await app.graphql('query ($id: ID!) { agent(id: $id) { likeCount liked } }', {
          as: bob.token,
          variables: { id: agent.id },
        })
      ).body.data.agent;
    const { rows } = await app.db.query(`select count(*)::int as n from likes where agent_id = $1`, [agent.id]);
    expect(await seen()).toEqual({ likeCount: rows[0].n, liked: false });
    await aggregateNotes(app.app.newCtx({ kind: 'system' }));
    expect(await seen()).toEqual({ likeCount: rows[0].n, liked: false });
    await eventually(async () => {
      const { rows: kept } = await app.db.query(`select like_count from agent_likes where agent_id = $1`, [agent.id]);
      return kept[0]?.like_count === rows[0].n;
    });
  });

  test('is in the private list of its person, and no response reveals who likes an agent', async () => {
    const agent = await app.createAgent(ada.token, { name: 'Liked', is_public: true });
    const fan = await social.person('secret-fan');
    await social.put(`/social/likes/${agent.id}`, fan);
    await social.put(`/social/likes/${agent.id}`, fan);
    const { data, total } = await social.get('/social/likes', fan);
    expect([data[0].id, total]).toEqual([agent.id, 1]);
    expect(data[0]).not.toHaveProperty('instructions');
    const answers = await Promise.all([
      social.get(`/agents/${agent.id}`, ada),
      social.get('/agents/explore', ada),
      social.get('/social/likes', ada),
      profileOf(ada, ada),
    ]);
    expect(JSON.stringify(answers)).not.toContain(fan.id);
    await app.call('PUT', `/v1/agents/${agent.id}`, { as: ada.token, body: { is_public: false } });
    expect((await social.get('/social/likes', fan)).total).toBe(0);
    expect(await social.statuses(social.send('PUT', `/social/likes/${agent.id}`, bob))).toEqual([404]);
  });
});

describe('a block', () => {
  test('makes both disappear for each other, ends the follows, and hides the agents of the blocker', async () => {
    const [maker, pest] = await Promise.all([social.person('maker'), social.person('pest')]);
    const { id: conversationId, agent_id: agentId } = await app.createConversation(maker.token, { is_public: true });
    const pestAgent = await app.createAgent(pest.token, { name: 'Pest', is_public: true });
    const own = await app.call('POST', '/v1/conversations', { as: pest.token, body: { agent_id: agentId } });
    await social.put(`/social/following/${maker.id}`, pest);
    await social.put(`/social/following/${pest.id}`, maker);
    expect(await social.put(`/social/blocks/${pest.id}`, maker)).toEqual({ user_id: pest.id, blocked: true });
    expect(await social.put(`/social/blocks/${pest.id}`, maker)).toEqual({ user_id: pest.id, blocked: true });
    expect(
      await social.statuses(
        social.send('GET', `/users/${maker.name}`, pest),
        social.send('GET', `/users/${pest.name}`, maker),
        social.send('PUT', `/social/following/${maker.id}`, pest),
        social.send('PUT', `/social/following/${pest.id}`, maker),
        social.send('GET', `/agents/${agentId}`, pest),
        social.send('POST', '/conversations', pest, { agent_id: agentId }),
        social.send('POST', `/conversations/${own.body.id}/messages`, pest, { content: 'Hello?' }),
        social.send('PUT', `/social/likes/${agentId}`, pest),
      ),
    ).toEqual([404, 404, 404, 404, 404, 404, 404, 404]);
    expect((await social.get(`/conversations/${own.body.id}/messages`, pest)).data).toHaveLength(1);
    expect(
      (await social.send('POST', `/conversations/${conversationId}/messages`, maker, { content: 'Hi' })).status,
    ).toBe(201);
    const explored = async (as: Named) =>
      (await social.get('/agents/explore?sort=recent&limit=100', as)).data.map(({ id }: { id: string }) => id);
    expect(await explored(pest)).not.toContain(agentId);
    expect(await explored(maker)).not.toContain(pestAgent.id);
    expect(await explored(bob)).toEqual(expect.arrayContaining([agentId, pestAgent.id]));
    expect((await profileOf(maker)).follower_count).toBe(0);
    expect((await social.get('/social/blocks', maker)).data.map(({ id }: { id: string }) => id)).toEqual([pest.id]);
    expect((await social.get('/social/blocks', pest)).total).toBe(0);

    expect(await social.remove(`/social/blocks/${pest.id}`, maker)).toEqual({ user_id: pest.id, blocked: false });
    expect(await profileOf(maker, pest)).toMatchObject({ followed: false });
  });

  test('and a follow at the same moment do not both stay', async () => {
    const [one, other] = await Promise.all([social.person('one'), social.person('other')]);
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        social.send('PUT', `/social/following/${one.id}`, other),
        social.put(`/social/blocks/${other.id}`, one),
      ]);
      const { rows } = await app.db.query(`select from follows where follower_id = $1`, [other.id]);
      expect(rows).toHaveLength(0);
      await social.remove(`/social/blocks/${other.id}`, one);
    }
    expect((await profileOf(one)).follower_count).toBe(0);
  });
});
