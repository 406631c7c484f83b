import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { seed } from './lab/seed.ts';
import { quantile } from './lab/statistics.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

const megabyte = 1_048_576;
const atOnce = 2;

/** Uploads of images. Two at a time are decoded, in a separate process. */
export const rows: BenchRow[] = [{ name: 'P24', title: 'uploads of images of 5 MB', measure }];

async function measure(bench: Bench): Promise<Figure[]> {
  const { databaseUrl, db, userId, headers } = await seed(bench);
  await db.query(`update users set plan = 'creator' where id = $1`, [userId]);
  const service = await bench.startService({ databaseUrl });
  const photo = await photoOf(5 * megabyte);
  const memory = () => residentBytes(service.pid);
  const form = () => {
    const body = new FormData();
    body.append('kind', 'avatar');
    body.append('file', new Blob([photo]), 'photo.jpg');
    return body;
  };
  const upload = async (): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(`${service.url}/v1/images/uploads`, { method: 'POST', headers, body: form() });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()} for ${userId}`);
    await response.arrayBuffer();
    return performance.now() - startedAt;
  };
  // Before the first upload.
  const idleBytes = memory();
  // The baseline of any upload: these are refused before anything is decoded.
  for (let i = 0; i < 10; i++) {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(5 * megabyte)]), 'none.jpg');
    await (await fetch(`${service.url}/v1/images/uploads`, { method: 'POST', headers, body })).arrayBuffer();
  }
  const refusedBytes = memory();
  await upload();
  const each = bench.isQuick ? 6 : 60;
  const one = async (times: number[]): Promise<void> => {
    for (let i = 0; i < each; i++) times.push(await upload());
  };
  const two = async (times: number[] = []): Promise<void> =>
    void (await Promise.all(Array.from({ length: atOnce }, () => one(times))));
  const cpuBefore = processorMs(service.pid);
  const alone: number[] = [];
  await one(alone);
  const processorMsEach = (processorMs(service.pid) - cpuBefore) / each;
  const together: number[] = [];
  await two(together);
  // In a separate round, because reading the memory of a process pauses it.
  let maxBytes = memory();
  const watch = setInterval(() => (maxBytes = Math.max(maxBytes, memory())), 50);
  bench.defer(() => clearInterval(watch));
  await two();
  clearInterval(watch);
  await service.stop();
  return [
    { what: 'an upload of 5 MB, p95', value: quantile(alone, 0.95), unit: 'ms', goal: { atMost: 400 } },
    { what: 'p50', value: quantile(alone, 0.5), unit: 'ms' },
    { what: 'processor time of an upload, the decoding process included', value: processorMsEach, unit: 'ms' },
    { what: 'p95 of two at once', value: quantile(together, 0.95), unit: 'ms' },
    {
      what: 'memory above idle, the decoding process included',
      value: (maxBytes - idleBytes) / megabyte,
      unit: 'MB',
      goal: { atMost: 150 },
    },
    { what: 'of it with uploads that are refused', value: (refusedBytes - idleBytes) / megabyte, unit: 'MB' },
  ];
}

/** Generates a JPEG like a camera's, just below `maxBytes`. */
async function photoOf(maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain = await sharp({ create: { width: 1_000, height: 750, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  for (let quality = 92; quality > 40; quality -= 4) {
    const photo = await sharp(grain).resize(4_000, 3_000).jpeg({ quality }).toBuffer();
    if (photo.length <= maxBytes) return new Uint8Array(photo);
  }
  throw new Error('no photo is small enough');
}

/** Returns the ids of a process and its children. */
const processesOf = (pid: number): string[] => [
  String(pid),
  ...readOr(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean),
];

/** Returns the memory of a process and its children. Counts file pages that they share, such as Node's code, once. */
function residentBytes(pid: number): number {
  const ofFiles = new Map<string, number>();
  let bytes = 0;
  for (const one of processesOf(pid)) {
    const shares = new Map<string, number>();
    let file = '';
    for (const line of readOr(`/proc/${one}/smaps`).split('\n')) {
      const [, path] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$/.exec(line) ?? [];
      if (path !== undefined) file = path;
      const [, kind, size] = /^(Rss|Anonymous):\s+(\d+)/.exec(line) ?? [];
      const sizeBytes = Number(size) * 1_024;
      if (kind === 'Anonymous') bytes += sizeBytes;
      // Resident memory that is not anonymous consists of file pages.
      if (kind) shares.set(file, (shares.get(file) ?? 0) + (kind === 'Rss' ? sizeBytes : -sizeBytes));
    }
    for (const [path, size] of shares) ofFiles.set(path, Math.max(ofFiles.get(path) ?? 0, size));
  }
  return [...ofFiles.values()].reduce((sum, size) => sum + size, bytes);
}

/** Returns the CPU time of a process and its children in milliseconds. */
const processorMs = (pid: number): number =>
  processesOf(pid).reduce((sum, one) => {
    const stat = readOr(`/proc/${one}/stat`);
    const [userTicks = 0, systemTicks = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return sum + (userTicks + systemTicks) * 10;
  }, 0);

/** Reads a file of /proc; empty for a process that has ended. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
