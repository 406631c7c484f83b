import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.ts';
import type { Fleet } from './fleet.ts';

interface Sample {
  name: string;
  life: number;
  /** Seconds since the load began. */
  at: number;
  rssBytes: number;
  files: number;
  /** Bytes of the JavaScript heap; null if not measured. */
  heapBytes: number | null;
}

/** Memory and files of one life of an instance, after warm-up. */
export interface Life {
  name: string;
  minutes: number;
  startBytes: number;
  endBytes: number;
  /** Median of the slopes of all pairs of samples. */
  bytesPerMinute: number;
  /** Growth over the whole life, relative to its start. */
  growth: number;
  maxBytes: number;
  /** Minimum of the JavaScript heap in the first and in the last third. */
  heapFloorBytes: readonly [number, number];
}

const everyMs = 5_000;
const heapEverySamples = 3;
const longestWarmUpSeconds = 240;
const growthLimit = 0.1;
/** A shorter life is warm-up only. */
const judgedMinutes = 8;

/** Samples the processes until aborted; `judge` then evaluates the longest life of each. */
export function watchMemory(fleet: Fleet, over: AbortSignal) {
  const samples: Sample[] = [];
  const begunAt = performance.now();
  const watching = (async () => {
    for (let n = 0; !over.aborted; n++) {
      for (const instance of fleet.instances) {
        const now = await instance.sample();
        const at = (performance.now() - begunAt) / 1_000;
        const metrics = n % heapEverySamples === 0 ? await instance.metrics() : null;
        const heapBytes = metrics?.get('nodejs_heap_size_used_bytes') ?? null;
        if (now) samples.push({ name: instance.name, life: instance.life, at, heapBytes, ...now });
      }
      await delay(everyMs, undefined, { signal: over }).catch(() => undefined);
    }
  })();
  return {
    latest: (name: string): number => samples.findLast((sample) => sample.name === name)?.rssBytes ?? 0,
    async judge(findings: Findings): Promise<Life[]> {
      await watching;
      const lives = fleet.instances.map(({ name }) => longestLife(samples.filter((sample) => sample.name === name)));
      for (const { name, minutes, growth } of lives)
        if (minutes >= judgedMinutes && growth > growthLimit)
          findings.add('memory that grows', `${name}: ${(growth * 100).toFixed(1)} % in ${minutes.toFixed(0)} minutes`);
      return lives;
    },
  };
}

function longestLife(samples: readonly Sample[]): Life {
  const lives = Map.groupBy(samples, ({ life }) => life);
  const longest = [...lives.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
  const first = longest[0]?.at ?? 0;
  const whole = (longest.at(-1)?.at ?? 0) - first;
  const warmUp = Math.min(longestWarmUpSeconds, whole / 3);
  const warm = longest.filter(({ at }) => at - first >= warmUp);
  const minutes = ((warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0)) / 60;
  const slopes = warm.flatMap((a, i) => warm.slice(i + 1).map((b) => ((b.rssBytes - a.rssBytes) / (b.at - a.at)) * 60));
  const bytesPerMinute = median(slopes);
  const third = Math.ceil(warm.length / 3);
  const tenth = Math.max(1, Math.floor(warm.length / 10));
  const startBytes = median(warm.slice(0, tenth).map(({ rssBytes }) => rssBytes));
  return {
    name: longest[0]?.name ?? '',
    minutes,
    startBytes,
    endBytes: median(warm.slice(-tenth).map(({ rssBytes }) => rssBytes)),
    bytesPerMinute,
    growth: startBytes > 0 ? (bytesPerMinute * minutes) / startBytes : 0,
    maxBytes: Math.max(0, ...samples.map(({ rssBytes }) => rssBytes)),
    heapFloorBytes: [heapFloor(warm.slice(0, third)), heapFloor(warm.slice(-third))],
  };
}

/** Garbage fluctuates; the minimum is what is retained. */
function heapFloor(samples: readonly Sample[]): number {
  const seen = samples.flatMap(({ heapBytes }) => heapBytes ?? []);
  return seen.length > 0 ? Math.min(...seen) : 0;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
