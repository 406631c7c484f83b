import { expect, test } from 'vitest';
import { reportLive } from '../../../web/src/api/live-since.ts';
import { setServiceTime } from '../../../web/src/api/service-time.ts';

test('the time since which events are live is that of the service, whose clock may have been moved', async () => {
  const otherTab = new BroadcastChannel('live-since');
  const heard = new Promise<string>((resolve) => {
    otherTab.addEventListener('message', ({ data }: MessageEvent<{ since: string }>) => resolve(data.since));
  });
  setServiceTime('2040-01-01T00:00:00.000Z');
  reportLive(true);
  expect(await heard).toMatch(/^2040-01-01/);
  reportLive(false);
  otherTab.close();
});
