/**
 * Filters rows by account without letting the planner use the account's index. Use it where another column already finds
 * few rows, such as those of a conversation: the planner knows only the average account, and would otherwise join both
 * indexes and read every row of a large one.
 */
export const ofAccountUnindexed = (column: string, account: string): string => `(${column} = ${account}) is true`;
