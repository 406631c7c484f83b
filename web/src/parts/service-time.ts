// The time of the service differs from this device's where the device's clock is wrong, and where the local profile moved it.

let offsetMs: number | null = null;

/** The time of the service, in milliseconds since the epoch. */
export const serviceNow = (): number => Date.now() + (offsetMs ?? 0);

/** Takes over the time of the service as it was answered just now. */
export const setServiceTime = (now: string): void => void (offsetMs = Date.parse(now) - Date.now());

export const isServiceTimeKnown = (): boolean => offsetMs !== null;
