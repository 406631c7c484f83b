const maxEventBytes = 1_048_576;
const lineFeed = 10;

/**
 * Watches the pieces of an event stream for an event, and so a line, that is longer than 1 MB: what reads the stream keeps
 * an event in memory until its end. Returns a function that takes the next piece and returns whether the limit holds.
 */
export function createEventLimit(limitBytes = maxEventBytes): (piece: Buffer) => boolean {
  /** Bytes since the last blank line, and the last few of them, which may be the start of one. */
  let openBytes = 0;
  let tail = Buffer.alloc(0);
  return (piece) => {
    const end = piece.length;
    if (end > 1 && piece[end - 1] === lineFeed && piece[end - 2] === lineFeed) {
      openBytes = 0;
      tail = Buffer.alloc(0);
      return true;
    }
    const seen = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
    const eventEnd = endOfLastBlankLine(seen);
    openBytes = eventEnd >= 0 ? seen.length - eventEnd : openBytes + piece.length;
    tail = Buffer.from(seen.subarray(Math.max(eventEnd, seen.length - 3, 0)));
    return openBytes <= limitBytes;
  };
}

const endOfLastBlankLine = (bytes: Buffer): number =>
  Math.max(
    ...['\n\n', '\r\n\r\n', '\r\r'].map((blank) => {
      const at = bytes.lastIndexOf(blank);
      return at < 0 ? -1 : at + blank.length;
    }),
  );
