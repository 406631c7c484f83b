import { type IncomingMessage, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { compare, cpuPerOperation, p50, p99 } from './lab/compare.ts';
import { type BenchRequest, closedLoop } from './lab/load.ts';
import { seed } from './lab/seed.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

const megabyte = 1_048_576;
const firstBytes = 4_096;

/** Speech and recordings passed through. */
export const rows: BenchRow[] = [
  {
    name: 'P21',
    title: 'speech and recordings passed through',
    measure: async (bench) => [...(await firstSound(bench)), ...(await wholeSpeech(bench)), ...(await uploads(bench))],
  },
];

const speech = (size: number): BenchRequest => ({
  path: '/v1/voice/tts',
  method: 'POST',
  body: { text: `size ${size}` },
});
const ofSize = (size: number) => (body: string) => body.length === size;

/** Measures only the first piece of audio, one request after the other. */
async function firstSound(bench: Bench): Promise<Figure[]> {
  const { service, upstream, headers } = await startVoice(bench);
  const again = await bench.startFloor('audio-upstream.ts');
  const direct = { path: '/v1/audio/speech', method: 'POST', body: { input: `size ${firstBytes}` } } as const;
  const loop = (name: string, process: BenchProcess, request: BenchRequest) =>
    closedLoop(name, process, request, ofSize(firstBytes), 1);
  const comparison = await compare(bench, {
    subject: loop('service', service, { ...speech(firstBytes), headers }),
    baseline: loop('B2', upstream, direct),
    control: loop('B2 again', again, direct),
  });
  for (const process of [service, upstream, again]) await process.stop();
  return [
    comparison.added('first sound, p50 added to B2', p50, 'ms', { atMost: 5 }),
    comparison.added('first sound, p99 added to B2', p99, 'ms'),
  ];
}

async function wholeSpeech(bench: Bench): Promise<Figure[]> {
  const { service, upstream, databaseUrl, headers } = await startVoice(bench);
  const env = { DATABASE_URL: databaseUrl, UPSTREAM_URL: upstream.url };
  const floors = [await bench.startFloor('audio-pipe.ts', env), await bench.startFloor('audio-pipe.ts', env)] as const;
  const request = { ...speech(megabyte), headers };
  const loop = (name: string, process: BenchProcess) => closedLoop(name, process, request, ofSize(megabyte), 8);
  const comparison = await compare(bench, {
    subject: loop('service', service),
    baseline: loop('B3', floors[0]),
    control: loop('B3 again', floors[1]),
  });
  for (const process of [service, upstream, ...floors]) await process.stop();
  return [
    comparison.ratio('1 MB of speech, CPU of B3', cpuPerOperation, { atMost: 1.3 }),
    { what: 'CPU for 1 MB', value: comparison.typical(cpuPerOperation), unit: 'µs' },
    { what: 'CPU for 1 MB of B3', value: comparison.baseline(cpuPerOperation), unit: 'µs' },
  ];
}

const uploadsAtOnce = [10, 50] as const;
const uploadBytes = 25 * megabyte;

/**
 * Resident memory of the service during few and during many uploads. The constant part is uncollected
 * garbage; the difference is what a transfer holds.
 */
async function uploads(bench: Bench): Promise<Figure[]> {
  const { service, upstream, headers } = await startVoice(bench);
  for (let i = 0; i < 20; i++) await upload(service.url, headers, megabyte);
  const idleBytes = await service.residentBytes();
  const [few, many] = uploadsAtOnce;
  const maxOfFew = await maxMemory(service, () => uploadAtOnce(service.url, headers, few));
  const started = performance.now();
  const maxOfMany = await maxMemory(service, () => uploadAtOnce(service.url, headers, many));
  const seconds = (performance.now() - started) / 1_000;
  for (const process of [service, upstream]) await process.stop();
  return [
    {
      what: `memory of ${many} uploads of 25 MB at once, above idle`,
      value: (maxOfMany - idleBytes) / megabyte,
      unit: 'MB',
      goal: { atMost: 200 },
    },
    {
      what: `memory of each upload beyond ${few} at once`,
      value: Math.max(0, maxOfMany - maxOfFew) / megabyte / (many - few),
      unit: 'MB',
      goal: { atMost: 2 },
    },
    { what: 'idle before them', value: idleBytes / megabyte, unit: 'MB' },
    { what: 'uploaded', value: (many * 25) / seconds, unit: 'MB' },
  ];
}

const uploadAtOnce = (url: string, headers: Record<string, string>, count: number) =>
  Promise.all(Array.from({ length: count }, () => upload(url, headers, uploadBytes)));

async function maxMemory(service: BenchProcess, work: () => Promise<unknown>): Promise<number> {
  let maxBytes = await service.residentBytes();
  const watch = setInterval(() => {
    void service.residentBytes().then((bytes) => (maxBytes = Math.max(maxBytes, bytes)));
  }, 50);
  await work();
  clearInterval(watch);
  return maxBytes;
}

/** Sends a WAV file, holding only what the connection buffers. */
async function upload(url: string, headers: Record<string, string>, sizeBytes: number): Promise<void> {
  const request = httpRequest(`${url}/v1/voice/stt`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const answered = once(request, 'response');
  request.write('--b\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n');
  const head = Buffer.from('RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0', 'latin1');
  request.write(head);
  const chunk = Buffer.alloc(65_536);
  for (let left = sizeBytes - head.length; left > 0; left -= chunk.length) {
    if (!request.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) await once(request, 'drain');
  }
  request.end('\r\n--b--\r\n');
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`an upload returned ${response.statusCode}`);
}

async function startVoice(bench: Bench) {
  const { databaseUrl, headers } = await seed(bench);
  const upstream = await bench.startFloor('audio-upstream.ts');
  const env = { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` };
  return { databaseUrl, headers, upstream, service: await bench.startService({ databaseUrl, env }) };
}
