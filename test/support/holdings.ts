import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a process holds at a moment. */
export type Holdings = Readonly<Record<'files' | 'children' | 'sockets' | 'timers' | 'connections at work', number>>;

interface Held {
  pid: number;
  baseUrl: string;
  /** What it has logged so far. */
  log(): string;
}

/** A job or a look at it may be under way at either moment. */
const slack = 3;
const tolerance = 1.05;

/** From the outside: what the system knows of the process, and what `/metrics` says. Idle connections to PostgreSQL come and go. */
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
 * Waits until the process holds no more than `before`, within 5 % (I12), and says so in words. Listeners that pile up are
 * what Node warns of.
 * @throws Error naming what is still held when connections that were kept open for a minute are closed
 */
export async function comesToRest(service: Held, before: Holdings, limitMs = 75_000): Promise<string> {
  const startMs = performance.now();
  for (;;) {
    const now = await readHoldings(service);
    const kept = Object.entries(before).flatMap(([what, few]) => {
      const many = now[what as keyof Holdings];
      return many > Math.max(few * tolerance, few + slack) ? [`${what}: ${few}, then ${many}`] : [];
    });
    if (service.log().includes('MaxListenersExceededWarning')) kept.push('listeners that pile up');
    const waitedMs = performance.now() - startMs;
    if (kept.length === 0)
      return `at rest after ${(waitedMs / 1_000).toFixed(1)} s: ${now.files} files, ${now.sockets} sockets, ${now.timers} timers`;
    if (waitedMs > limitMs) throw new Error(`still held after ${limitMs} ms: ${kept.join('; ')}`);
    await sleep(200);
  }
}
