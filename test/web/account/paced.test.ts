import { expect, test } from 'vitest';
import { paced } from '../../../web/src/api/paced.ts';
import { eventually } from '../../support/eventually.ts';

test('paced work serves many requests with one run at a time, and runs once more after the last of them', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const request = paced(0, () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  for (let n = 0; n < 5; n++) request();
  await eventually(() => runs.length === 1);
  for (let n = 0; n < 5; n++) request();
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('refused'));
  await eventually(() => runs.length === 2);
  runs[1]?.resolve();
  request();
  await eventually(() => runs.length === 3);
});
