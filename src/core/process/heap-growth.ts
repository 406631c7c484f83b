import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { garbageCollector } from './collect-garbage.ts';

/** Size of both halves of the young generation. By default V8 doubles it again, which uses 64 MB permanently without benefit. */
const largestYoungBytes = 48 * 1_048_576;
/**
 * What may gather in the old generation, into which everything falls that waits for a network, when little else is there;
 * else as much as lives, because a collection costs by that. V8 would let it be 200 MB or more.
 */
const mostOldGarbageBytes = 64 * 1_048_576;
const lookMs = 250;
/** Between two looks of an idle process, for which each costs more than it finds. */
const quietLookMs = 2_000;
/** Share of the event loop's time below which a moment is quiet. */
const quietShare = 0.05;
const quietLooks = 4;

/** While code is loaded: what that leaves behind lives on, and would only make the young generation grow further. */
export const holdYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Under load both heap generations may grow to a bound. V8 reads these flags before any code runs. */
export function boundHeapGrowth(): void {
  let previous = usedBytes().old;
  let collected = previous;
  const countQuietLooks = quietLookCounter();
  let isCollected = false;
  const look = () => {
    const isQuiet = countQuietLooks() >= quietLooks;
    if (isQuiet && !isCollected) {
      isCollected = true;
      collectStart();
    }
    const { young, old } = usedBytes();
    // While it is quiet it need not grow, so that it is bounded until the next look too.
    setFlagsFromString(`--semi-space-growth-factor=${isQuiet || young > largestYoungBytes ? 1 : 2}`);
    // Only a collection makes it smaller.
    if (old < previous) collected = old;
    previous = old;
    setFlagsFromString(
      `--incremental-marking-soft-trigger=${old > collected + Math.max(mostOldGarbageBytes, collected) ? 1 : 0}`,
    );
    setTimeout(look, isQuiet ? quietLookMs : lookMs).unref();
  };
  look();
}

/** Counts the looks in a row between which the event loop had next to no work. */
function quietLookCounter(): () => number {
  let quiet = 0;
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    quiet = performance.eventLoopUtilization(now, before).utilization < quietShare ? quiet + 1 : 0;
    before = now;
    return quiet;
  };
}

/** V8 discards the compiled code of a function that did not run for this many collections. */
const codeAge = 6;

/**
 * Frees what the start leaves behind, about a quarter of the heap and the code that only the start runs, which V8 would keep
 * until load: in the first second without work, because it holds the event loop.
 */
function collectStart(): void {
  const collect = garbageCollector();
  setFlagsFromString('--bytecode-old-age=1');
  collect({ type: 'major', execution: 'sync' });
  setFlagsFromString(`--bytecode-old-age=${codeAge}`);
}

/** The young generation with the room it has, the old one without. */
function usedBytes(): { young: number; old: number } {
  const spaces = new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space]));
  return { young: spaces.get('new_space')?.space_size ?? 0, old: spaces.get('old_space')?.space_used_size ?? 0 };
}
