/** The time of the service, so that tests can set it. Durations are measured with `performance.now()` instead. */
export interface Clock {
  /** Business time: what users see and what ends after days. The embedded profile can move it forward (`POST /dev/clock`). */
  now(): Date;
  /** Time as the rest of the world has it, for what others compare with their own clocks: signatures of requests. */
  realNow(): Date;
}
