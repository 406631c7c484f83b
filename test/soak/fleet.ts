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
  /** Whether an instance was ended, or something else broken, within so many milliseconds, or isn't back yet. */
  wasDisturbed(withinMs: number): boolean;
  readonly ends: readonly End[];
  /** What else was broken, by name, how often. */
  readonly troubles: ReadonlyMap<string, number>;
  /** Every so many seconds until aborted ends an instance or, where there are `others`, does one of those in their stead. */
  disturb(minutes: number, everySeconds: number, over: AbortSignal, others: readonly Trouble[]): Promise<void>;
}

/** Something that breaks and is whole again when it resolves. */
export interface Trouble {
  name: string;
  happen: () => Promise<void>;
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
      // Each comes before any comes again; an end is as likely as anything else.
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
        // Both at first, then one of them only: the memory of the other is watched over the rest of the run.
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
