/** Clock of the service. Tests can set it. Durations are measured with `performance.now()` instead. */
export interface Clock {
  /**
   * Business time: the time that users see and that periods of days are measured in. In the embedded profile `POST
   * /dev/clock` can move it forward.
   */
  now(): Date;
  /** Real time, for values that other systems compare with their own clocks, such as request signatures. */
  realNow(): Date;
}
