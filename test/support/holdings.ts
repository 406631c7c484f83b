import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The resources of a process at one moment. */
export type Holdings = Readonly<Record<'files' | 'children' | 'sockets' | 'timers' | 'connections at work', number>>;

interface Held {
  pid: number;
  baseUrl: string;
  /** Its log so far. */
  log(): string;
}

/** Tolerance for a job or a probe that runs during one of the measurements. */
const slack = 3;
const tolerance = 1.05;

/** Measures from outside: /proc and `/metrics`. Idle connections to PostgreSQL vary and are not counted. */
export async function readHoldings({ pid, baseUrl }: Pick<Held, 'pid' | 'baseUrl'>): Promise<Holdings> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const [files, children] = await Promise.all([
    readdir(`/proc/${pid}/fd`),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
  ]);
  const gauge = (name: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? 0);
  };
  const idle = gauge('database_pool_connections{state="idle"}');
  return {
    files: files.length - idle,
    children: children.split(' ').filter(Boolean).length,
    sockets: gauge('nodejs_active_resources{type="TCPSocketWrap"}') - idle,
    timers: gauge('nodejs_active_resources{type="Timeout"}'),
    'connections at work': gauge('database_pool_connections{state="busy"}'),
  };
}

/**
 * Waits until the process holds no more than `before`, within 5 % (I12), and returns a summary. Leaked listeners are
 * detected by Node's warning.
 * @throws Error naming what is still held after idle connections, kept open for a minute, are closed
 */
export async function comesToRest(service: Held, before: Holdings, limitMs = 75_000): Promise<string> {
  const startMs = performance.now();
  for (;;) {
    const now = await readHoldings(service);
    const kept = Object.entries(before).flatMap(([what, few]) => {
      const many = now[what as keyof Holdings];
      return many > Math.max(few * tolerance, few + slack) ? [`${what}: ${few}, then ${many}`] : [];
    });
    if (service.log().includes('MaxListenersExceededWarning')) kept.push('leaked listeners');
    const waitedMs = performance.now() - startMs;
    if (kept.length === 0)
      return `at rest after ${(waitedMs / 1_000).toFixed(1)} s: ${now.files} files, ${now.sockets} sockets, ${now.timers} timers`;
    if (waitedMs > limitMs) throw new Error(`still held after ${limitMs} ms: ${kept.join('; ')}`);
    await sleep(200);
  }
}
