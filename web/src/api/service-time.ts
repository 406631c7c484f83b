// The service's time differs from the device's when the device's clock is wrong or the local profile moved its clock.

let offsetMs: number | null = null;

/** Returns the service's time in milliseconds since the epoch. */
export const serviceNow = (): number => Date.now() + (offsetMs ?? 0);

/** Sets the offset from the service's time in a response that just arrived. */
export const setServiceTime = (now: string): void => void (offsetMs = Date.parse(now) - Date.now());

export const isServiceTimeKnown = (): boolean => offsetMs !== null;
