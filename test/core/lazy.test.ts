import { expect, test } from 'vitest';
import { lazy } from '../../src/core/lazy.ts';

test('a lazily created value is created once, and a failure is retried', async () => {
  let calls = 0;
  const use = lazy(async () => {
    calls++;
    if (calls === 1) throw new Error('no descriptor is left');
    return { calls };
  });
  expect(use.begun()).toBeUndefined();
  await expect(Promise.all([use(), use()])).rejects.toThrow('no descriptor is left');
  expect(use.begun()).toBeUndefined();
  const [one, same] = await Promise.all([use(), use()]);
  expect(one).toBe(same);
  expect(one).toEqual({ calls: 2 });
  expect(await use.begun()).toBe(one);
});
