const maxAccountBytes = 8_388_608;
const maxProcessBytes = 134_217_728;

/** Counts the unsent data of all connections of the process. */
export interface SendBudget {
  /** Notes that a connection of the account has more unsent bytes, or fewer if negative. */
  add(account: string, bytes: number): void;
  /** Whether connections of the account may keep only little unsent data. */
  isFull(account: string): boolean;
}

export function createSendBudget(): SendBudget {
  const accounts = new Map<string, number>();
  let total = 0;
  return {
    add(account, bytes) {
      total += bytes;
      const ofAccount = (accounts.get(account) ?? 0) + bytes;
      if (ofAccount > 0) accounts.set(account, ofAccount);
      else accounts.delete(account);
    },
    isFull: (account) => total >= maxProcessBytes || (accounts.get(account) ?? 0) >= maxAccountBytes,
  };
}
