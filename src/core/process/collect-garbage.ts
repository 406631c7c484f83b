import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns V8's function that collects garbage at once. Node offers it only to a process that is started with a flag. */
export function garbageCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as NodeJS.GCFunction;
}

/** Received bytes between two collections: what is received is memory outside of the heap, which only a collection frees. */
const stepBytes = 2 * 1_048_576;
let collect: NodeJS.GCFunction | undefined;
let pendingBytes = 0;

/**
 * Call it with the size of each received chunk that is used once. V8 looks at its own heap before it collects young objects, so
 * that chunks of large bodies, whose memory is outside of it, gather until they start a collection of the whole heap. That takes
 * a hundred times as long as collecting young objects, which frees them too.
 */
export function noteReceived(sizeBytes: number): void {
  pendingBytes += sizeBytes;
  if (pendingBytes < stepBytes) return;
  pendingBytes = 0;
  collect ??= garbageCollector();
  collect({ type: 'minor', execution: 'sync' });
}
