interface FrameLimits {
  perSecond: number;
  /** Number of frames in a second above which the connection counts as flooding, because its client ignores errors. */
  flood: number;
}

const textFrames: FrameLimits = { perSecond: 20, flood: 200 };

/**
 * Creates a rate limit for the frames of a connection, or for their bytes. It returns whether a frame is within the limit,
 * over it, or part of a flood.
 */
export function createFrameRate(
  { perSecond, flood }: FrameLimits = textFrames,
  nowMs: () => number = () => performance.now(),
): (amount?: number) => 'within' | 'over' | 'flood' {
  let startedAtMs = nowMs();
  let frames = 0;
  return (amount = 1) => {
    const atMs = nowMs();
    if (atMs - startedAtMs >= 1_000) {
      startedAtMs = atMs;
      frames = 0;
    }
    frames += amount;
    if (frames > flood) return 'flood';
    return frames > perSecond ? 'over' : 'within';
  };
}
