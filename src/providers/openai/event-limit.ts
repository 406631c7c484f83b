const maxEventBytes = 1_048_576;
const lineFeed = 10;

/**
 * Creates a check for events longer than 1 MB in an event stream, because the parser buffers each event completely.
 * Returns a function that takes the next piece and returns whether the limit is still met.
 */
export function createEventLimit(limitBytes = maxEventBytes): (piece: Buffer) => boolean {
  /**
   * Number of bytes since the last blank line, and the last few of those bytes, which may be the start of a blank line.
   */
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
