import { frameHeaderAt, id3SizeAt, isLengthFrame } from './mp3-frames.ts';

/**
 * Several MP3 streams as one, passed on as they come: whole frames of sound and nothing else. Tags and the frames that
 * tell a file's length are left out, because in the middle of a file the first are noise and the second are wrong.
 */
export async function* joinMp3(parts: AsyncIterable<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield* framesOf(part);
}

/** The frames of one MP3 stream, several at a time. Bytes that are no frame are passed over. */
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
  /** Bytes of a tag that have not come yet. */
  skip: number;
  isFirst: boolean;
  /** Once known, a header with another rate is chance. */
  rate: number | null;
}

/** The runs of frames in `bytes`, and how many bytes are done with; what is left waits for more. */
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
    // The first header is believed only if another follows: sound can hold the same bits by chance.
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
