/** The visitor's token in the browser's storage, which it keeps apart for each website; in memory where that is blocked. */
export function createTokenStore(embedId: string) {
  const key = `agent-chat:${embedId}`;
  let inMemory: string | null = null;
  return {
    read(): string | null {
      try {
        return localStorage.getItem(key) ?? inMemory;
      } catch {
        return inMemory;
      }
    },
    write(token: string | null): void {
      inMemory = token;
      try {
        if (token === null) localStorage.removeItem(key);
        else localStorage.setItem(key, token);
      } catch {
        // It lasts as long as the page.
      }
    },
  };
}
