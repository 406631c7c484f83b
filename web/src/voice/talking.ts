/** Talks in this page. */
let talks = 0;

/** Whether replies are spoken already. */
export const isTalking = (): boolean => talks > 0;

/** Returns the function that ends it. */
export function beginTalking(): () => void {
  talks += 1;
  return () => {
    talks -= 1;
  };
}
