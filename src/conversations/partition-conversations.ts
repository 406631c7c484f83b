/** The tables that `main.js partition` divides by account. Generations refer to messages. */
export const partitionedTables: readonly string[] = ['messages', 'generations'];
