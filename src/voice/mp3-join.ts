import { frameHeaderAt, id3SizeAt, isLengthFrame } from './mp3-frames.ts';

/**
 * Joins MP3 streams as they arrive. Yields only complete audio frames: tags would be audible as noise in the middle of
 * a file, and frames with the file's length would be wrong.
 */
export async function* joinMp3(parts: AsyncIterable<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield* framesOf(part);
}

/** Yields runs of consecutive frames of one MP3 stream and skips all other bytes. */
async function* framesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  const scan: Scan = { skip: 0, isFirst: true, rate: null };
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const { runs, used } = takeFrames(bytes, scan, false);
    yield* runs;
    rest = bytes.subarray(used);
  }
  yield* takeFrames(rest, scan, true).runs;
}

interface Scan {
  /** Number of remaining bytes of a tag to skip. */
  skip: number;
  isFirst: boolean;
  /** Sample rate of the stream, once known. A header with a different rate is a false match. */
  rate: number | null;
}

/** Returns the runs of frames in `bytes` and the number of bytes consumed. The remaining bytes need more input. */
function takeFrames(bytes: Uint8Array, scan: Scan, isEnd: boolean): { runs: Uint8Array[]; used: number } {
  const runs: Uint8Array[] = [];
  let at = 0;
  let runStart = -1;
  const endRun = () => {
    if (runStart >= 0) runs.push(bytes.subarray(runStart, at));
    runStart = -1;
  };
  while (at < bytes.length) {
    if (scan.skip > 0) {
      const skipped = Math.min(scan.skip, bytes.length - at);
      scan.skip -= skipped;
      at += skipped;
      continue;
    }
    if (!isEnd && bytes.length - at < 10) break;
    const tag = id3SizeAt(bytes, at);
    if (tag > 0) {
      endRun();
      scan.skip = tag;
      continue;
    }
    const header = frameHeaderAt(bytes, at);
    const next = header ? at + header.sizeBytes : 0;
    if (!header || (scan.rate !== null && header.sampleRate !== scan.rate)) {
      endRun();
      at += 1;
      continue;
    }
    if (next + (isEnd ? 0 : 4) > bytes.length) break;
    // The first header is accepted only if another one follows, because audio data can contain the same bits by chance.
    if (scan.rate === null && next < bytes.length && !frameHeaderAt(bytes, next)) {
      at += 1;
      continue;
    }
    scan.rate = header.sampleRate;
    const isLength = scan.isFirst && isLengthFrame(bytes.subarray(at, next), header);
    scan.isFirst = false;
    if (isLength) endRun();
    else if (runStart < 0) runStart = at;
    at = next;
    if (isLength) continue;
  }
  endRun();
  return { runs, used: at };
}
