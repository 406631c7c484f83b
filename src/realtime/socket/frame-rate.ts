interface FrameLimits {
  perSecond: number;
  /** A client that sends this many in a second does not look at its errors. */
  flood: number;
}

const textFrames: FrameLimits = { perSecond: 20, flood: 200 };

/** Whether a frame is within the limit of a connection, over it, or one of a flood. */
export function createFrameRate(
  { perSecond, flood }: FrameLimits = textFrames,
  nowMs: () => number = () => performance.now(),
): () => 'within' | 'over' | 'flood' {
  let startedAtMs = nowMs();
  let frames = 0;
  return () => {
    const atMs = nowMs();
    if (atMs - startedAtMs >= 1_000) {
      startedAtMs = atMs;
      frames = 0;
    }
    frames++;
    return frames > flood ? 'flood' : frames > perSecond ? 'over' : 'within';
  };
}
