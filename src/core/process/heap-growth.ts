import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { garbageCollector } from './collect-garbage.ts';

/**
 * Largest size of both halves of the young generation. By default V8 doubles it again, which uses 64 MB permanently
 * without benefit.
 */
const maxYoungBytes = 48 * 1_048_576;
/**
 * Garbage allowed in the old generation, where everything that waits for the network ends up, when few objects are
 * alive. With more live objects the bound is their size, because the cost of a collection depends on it. V8's own bound
 * is 200 MB or more.
 */
const maxOldGarbageBytes = 64 * 1_048_576;
const checkMs = 250;
/** Interval between checks of an idle process, for which a check costs more than it gains. */
const idleCheckMs = 2_000;
/** Event loop utilization below which an interval counts as quiet. */
const quietShare = 0.05;
const idleChecks = 4;

/** Keeps the young generation from growing while code is loaded: loaded code stays alive and would only enlarge it. */
export const holdYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Bounds the growth of both heap generations under load. V8 normally reads these flags before any code runs. */
export function boundHeapGrowth(): void {
  let previous = usedBytes().old;
  let collected = previous;
  const countIdleChecks = idleCheckCounter();
  let isCollected = false;
  const check = () => {
    const isQuiet = countIdleChecks() >= idleChecks;
    if (isQuiet && !isCollected) {
      isCollected = true;
      collectStart();
    }
    const { young, old } = usedBytes();
    // A quiet process needs no growth, and this bounds the growth until the next check.
    setFlagsFromString(`--semi-space-growth-factor=${isQuiet || young > maxYoungBytes ? 1 : 2}`);
    // Only a collection reduces the size.
    if (old < previous) collected = old;
    previous = old;
    setFlagsFromString(
      `--incremental-marking-soft-trigger=${old > collected + Math.max(maxOldGarbageBytes, collected) ? 1 : 0}`,
    );
    setTimeout(check, isQuiet ? idleCheckMs : checkMs).unref();
  };
  check();
}

/** Returns a function that counts consecutive checks during which the event loop was nearly idle. */
function idleCheckCounter(): () => number {
  let quiet = 0;
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    quiet = performance.eventLoopUtilization(now, before).utilization < quietShare ? quiet + 1 : 0;
    before = now;
    return quiet;
  };
}

/** Number of collections after which V8 discards the compiled code of a function that did not run. */
const codeAge = 6;

/**
 * Frees what the start leaves behind: about a quarter of the heap, and code that only the start runs. V8 would keep it
 * until there is load. Runs when the process is idle for the first time, because it blocks the event loop.
 */
function collectStart(): void {
  const collect = garbageCollector();
  setFlagsFromString('--bytecode-old-age=1');
  collect({ type: 'major', execution: 'sync' });
  setFlagsFromString(`--bytecode-old-age=${codeAge}`);
}

/** Returns the allocated size of the young generation and the used size of the old one, in bytes. */
function usedBytes(): { young: number; old: number } {
  const spaces = new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space]));
  return { young: spaces.get('new_space')?.space_size ?? 0, old: spaces.get('old_space')?.space_used_size ?? 0 };
}
