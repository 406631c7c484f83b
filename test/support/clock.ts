/** The machine's clock, for code that does not use the database's. */
export const processClock = { now: () => new Date(), realNow: () => new Date() };

/** Creates a clock that changes only when it is advanced. */
export function createTestClock(start = new Date('2026-11-21T12:00:00.000Z')) {
  let now = start;
  return {
    now: () => now,
    realNow: () => now,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
  };
}
