import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.ts';
import type { Instance } from './instance.ts';

/** The instances behind a simulated load balancer, and the faults injected into them. */
export interface Fleet {
  readonly instances: readonly Instance[];
  /** Returns the next running instance, round robin. */
  pick(): Promise<Instance>;
  /** Base URL of a running instance, if there is one. */
  url(): string;
  /** Whether a request that started during this life of the instance may have lost its connection to a fault. */
  isExcused(instance: Instance, life: number): boolean;
  /** Whether a fault was injected within a number of milliseconds, or has not ended yet. */
  wasDisturbed(withinMs: number): boolean;
  readonly ends: readonly End[];
  /** Number of other faults by name. */
  readonly troubles: ReadonlyMap<string, number>;
  /** Until aborted, stops an instance at a fixed interval in seconds, or injects one of the `others`. */
  disturb(minutes: number, everySeconds: number, over: AbortSignal, others: readonly Trouble[]): Promise<void>;
}

/** A fault; it resolves when the fault has ended. */
export interface Trouble {
  name: string;
  happen: () => Promise<void>;
}

export interface End {
  name: string;
  signal: 'SIGKILL' | 'SIGTERM';
  /** Durations from the signal to the exit, and from the start to readiness. */
  goneMs: number;
  readyMs: number;
}

const firstEndMs = 40_000;
const readyLimitMs = 5_000;
/** Clients notice a connection that the stopping server closed a little later. */
const afterglowMs = 2_000;

export function createFleet(instances: readonly Instance[], findings: Findings, onEnd: (end: End) => void): Fleet {
  const ends: End[] = [];
  const troubles = new Map<string, number>();
  let troubledAt = -Infinity;
  let isTroubled = false;
  let turn = 0;

  async function trouble({ name, happen }: Trouble): Promise<void> {
    isTroubled = true;
    await happen();
    isTroubled = false;
    troubledAt = performance.now();
    troubles.set(name, (troubles.get(name) ?? 0) + 1);
  }

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
    troubles,
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
      isTroubled ||
      performance.now() - troubledAt < withinMs ||
      instances.some(({ state, disturbedAt }) => state !== 'up' || performance.now() - disturbedAt < withinMs),
    async disturb(minutes, everySeconds, over, others) {
      const begunAt = performance.now();
      const everyMs = everySeconds * 1_000;
      // Each fault occurs before any repeats; ending an instance is as likely as any other.
      const deck: (Trouble | null)[] = [];
      for (let n = 0; ; n++) {
        if (deck.length === 0) deck.push(...shuffled([...others, ...others.map(() => null)]));
        const dueAt = begunAt + Math.min(firstEndMs, everyMs) + n * everyMs;
        await delay(Math.max(0, dueAt - performance.now()), undefined, { signal: over }).catch(() => undefined);
        if (over.aborted) return;
        const next = deck.pop();
        if (next) {
          await trouble(next);
          continue;
        }
        // Both at first, then only one, so that the memory of the other is observed for the rest of the run.
        const takesTurns = n * everyMs < (minutes * 60_000) / 3;
        const victim = instances[takesTurns ? n % instances.length : instances.length - 1];
        if (victim) await endAndStart(victim, n % 3 === 2 ? 'SIGTERM' : 'SIGKILL');
      }
    },
  };
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
