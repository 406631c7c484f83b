/** Stores the visitor's token in localStorage, which browsers partition by website, or in memory if that is blocked. */
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
        // Storage is blocked: the token lasts as long as the page.
      }
    },
  };
}
