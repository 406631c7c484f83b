import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { report } from '../../support/fault-report.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { type FaultHarness, openFaultHarness } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

const requests = 200;

/** Each request writes log lines, and every request must succeed. */
async function expectUnaffected(service: ServiceProcess): Promise<void> {
  const ada = await service.signUp();
  for (let n = 0; n < requests; n++) {
    const answer = await service.call('POST', '/v1/agents', { as: ada.token, body: { name: `A ${n}` } });
    expect(answer.status).toBe(400);
  }
  await sleep(1_500);
  expect((await service.call('GET', '/v1/agents', { as: ada.token })).status).toBe(200);
}

test('serves requests while the disk for logs is full', async ({ task }) => {
  const full = await open('/dev/full', 'w');
  const service = await harness.start({ LOG_LEVEL: 'debug' }, { stdout: full.fd });
  await expectUnaffected(service);
  await full.close();
  report(
    { task },
    { times: `${requests} log lines to a full disk`, checked: `${requests} answers`, note: '/dev/full as stdout' },
  );
});

test('serves requests while the pipe of the logs is closed', async ({ task }) => {
  const reader = spawn('sleep', ['3600'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const pipe = (reader.stdin as unknown as { _handle: { fd: number } })._handle.fd;
  const service = await harness.start({ LOG_LEVEL: 'debug' }, { stdout: pipe });
  const gone = once(reader, 'exit');
  reader.stdin.on('error', () => undefined);
  reader.kill('SIGKILL');
  await gone;
  await expectUnaffected(service);
  report({ task }, { times: `${requests} log lines into a closed pipe`, checked: `${requests} answers` });
});
