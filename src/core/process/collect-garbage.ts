import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns V8's function that runs a garbage collection immediately. Node exposes it only with a flag. */
export function garbageCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as NodeJS.GCFunction;
}

/** Received bytes between two collections. Received data is memory outside the heap, which only a collection frees. */
const stepBytes = 2 * 1_048_576;
let collect: NodeJS.GCFunction | undefined;
let pendingBytes = 0;

/**
 * Reports the size of a received chunk that is used once, and collects young objects after every 2 MB. V8 considers
 * only its own heap before it collects young objects, so chunks of large bodies, which are outside it, accumulate until
 * they trigger a collection of the whole heap. That takes a hundred times as long as collecting young objects, which
 * frees them too.
 */
export function noteReceived(sizeBytes: number): void {
  pendingBytes += sizeBytes;
  if (pendingBytes < stepBytes) return;
  pendingBytes = 0;
  collect ??= garbageCollector();
  collect({ type: 'minor', execution: 'sync' });
}
