/**
 * Tables that `main.js partition` divides by account, in the order of their references: generations reference messages.
 */
export const partitionedTables: readonly string[] = ['messages', 'generations'];
