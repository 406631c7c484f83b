import { expect, test } from 'vitest';
import { lazy } from '../../src/core/lazy.ts';

test('what is made at its first use is made once, and a failure is tried again', async () => {
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
