/**
 * Condition that a row belongs to an account, for statements that find few rows by another column, as those of a conversation.
 * No index serves it: the planner would join the index of the account with that of the conversation, since it knows the average
 * account only, and read every row of a large one.
 */
export const isOfAccount = (column: string, account: string): string => `(${column} = ${account}) is true`;
