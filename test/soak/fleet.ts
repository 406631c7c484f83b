import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.ts';
import type { Instance } from './instance.ts';

/** The instances behind one imagined load balancer, and what is done to them. */
export interface Fleet {
  readonly instances: readonly Instance[];
  /** The next one in turn that is up. */
  pick(): Promise<Instance>;
  /** Of one that is up, if there is one. */
  url(): string;
  /** Whether a request that began in this life of the instance may have lost its connection. */
  isExcused(instance: Instance, life: number): boolean;
  /** Whether an instance was ended within so many milliseconds, or isn't back yet. */
  wasDisturbed(withinMs: number): boolean;
  readonly ends: readonly End[];
  /** Ends an instance every so many seconds until aborted. */
  disturb(minutes: number, everySeconds: number, over: AbortSignal): Promise<void>;
}

export interface End {
  name: string;
  signal: 'SIGKILL' | 'SIGTERM';
  /** From the signal to the end of the process, and from the start to being ready. */
  goneMs: number;
  readyMs: number;
}

const firstEndMs = 40_000;
const readyLimitMs = 5_000;
/** A connection that the server closed while it went down is noticed a little later. */
const afterglowMs = 2_000;

export function createFleet(instances: readonly Instance[], findings: Findings, onEnd: (end: End) => void): Fleet {
  const ends: End[] = [];
  let turn = 0;

  async function endAndStart(victim: Instance, signal: End['signal']): Promise<void> {
    const endedAt = performance.now();
    await victim.end(signal);
    const goneMs = performance.now() - endedAt;
    const readyMs = await victim.start();
    const end = { name: victim.name, signal, goneMs, readyMs };
    ends.push(end);
    onEnd(end);
    if (readyMs > readyLimitMs) findings.add('not ready within 5 s', `${victim.name}: ${Math.round(readyMs)} ms`);
  }

  return {
    instances,
    ends,
    async pick() {
      for (;;) {
        const up = instances.filter(({ state }) => state === 'up');
        const next = up[turn++ % Math.max(1, up.length)];
        if (next) return next;
        await delay(50);
      }
    },
    url: () => (instances.find(({ state }) => state === 'up') ?? instances[0])?.url ?? '',
    isExcused: (instance, life) =>
      instance.life !== life || instance.state !== 'up' || performance.now() - instance.disturbedAt < afterglowMs,
    wasDisturbed: (withinMs) =>
      instances.some(({ state, disturbedAt }) => state !== 'up' || performance.now() - disturbedAt < withinMs),
    async disturb(minutes, everySeconds, over) {
      const begunAt = performance.now();
      const everyMs = everySeconds * 1_000;
      for (let n = 0; ; n++) {
        const dueAt = begunAt + Math.min(firstEndMs, everyMs) + n * everyMs;
        await delay(Math.max(0, dueAt - performance.now()), undefined, { signal: over }).catch(() => undefined);
        if (over.aborted) return;
        // Both at first, then one of them only: the memory of the other is watched over the rest of the run.
        const takesTurns = n * everyMs < (minutes * 60_000) / 3;
        const victim = instances[takesTurns ? n % instances.length : instances.length - 1];
        if (victim) await endAndStart(victim, n % 3 === 2 ? 'SIGTERM' : 'SIGKILL');
      }
    },
  };
}
