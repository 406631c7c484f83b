/** Number of spoken conversations in this page. */
let talks = 0;

/** Whether a spoken conversation is running, so replies are already spoken. */
export const isTalking = (): boolean => talks > 0;

/** Counts a spoken conversation. Returns a function that ends it. */
export function beginTalking(): () => void {
  talks += 1;
  return () => {
    talks -= 1;
  };
}
