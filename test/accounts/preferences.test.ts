import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

const all = 'theme density sendKey singleKeys readAloud followReplies reduceMotion language';
const unset = {
  theme: null,
  density: null,
  sendKey: null,
  singleKeys: null,
  readAloud: null,
  followReplies: null,
  reduceMotion: null,
  language: null,
};
const update = (as: string, input: object) =>
  service.graphql(`mutation ($input: UpdatePreferencesInput!) { updatePreferences(input: $input) { ${all} } }`, {
    as,
    variables: { input },
  });
const stored = async (as: string) => (await service.graphql(`{ me { preferences { ${all} } } }`, { as })).body;

describe('updatePreferences', () => {
  test('changes the given preferences, keeps the others and resets one to its default by null', async () => {
    const { token } = await service.signUp();
    expect(await stored(token)).toEqual({ data: { me: { preferences: unset } } });
    await update(token, { theme: 'DARK', singleKeys: false, language: 'de-ch' });
    const answer = await update(token, { theme: null, sendKey: 'CTRL_ENTER' });
    const preferences = { ...unset, singleKeys: false, language: 'de-CH', sendKey: 'CTRL_ENTER' };
    expect(answer.body).toEqual({ data: { updatePreferences: preferences } });
    expect(await stored(token)).toEqual({ data: { me: { preferences } } });
  });

  test('keeps concurrent changes of different preferences', async () => {
    const { token } = await service.signUp();
    await Promise.all([
      update(token, { theme: 'LIGHT' }),
      update(token, { density: 'COMPACT' }),
      update(token, { readAloud: true }),
    ]);
    const preferences = { ...unset, theme: 'LIGHT', density: 'COMPACT', readAloud: true };
    expect(await stored(token)).toEqual({ data: { me: { preferences } } });
  });

  test.each(['nonsense language', '', `en-${'x'.repeat(40)}`])('rejects the language %j', async (language) => {
    const { token } = await service.signUp();
    expect((await update(token, { language })).body.errors).toMatchObject([
      { extensions: { code: 'INVALID_REQUEST', details: [{ field: 'language' }] } },
    ]);
  });

  test('belongs to the account that changes it and is absent from REST', async () => {
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    await update(ada.token, { theme: 'DARK' });
    expect(await stored(bob.token)).toEqual({ data: { me: { preferences: unset } } });
    expect((await service.call('GET', '/v1/auth/me', { as: ada.token })).body).not.toHaveProperty('preferences');
  });
});
