/** Options of a test that limits real time: a machine that stalls for seconds fails it once, slow code fails it each time. */
export const limitsTime = { retry: 2 } as const;
