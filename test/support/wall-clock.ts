/** Options of a test that limits real time. A stalled machine fails it once, slow code fails every retry. */
export const limitsTime = { retry: 2 } as const;
