/** Taken tokens by page, because React may render a page twice and the address has lost the token by then. */
const taken = new Map<string, string>();

/**
 * The token in the fragment of a mail's link. It is removed from the address and the history at once, and kept in memory
 * while the page is open, also through a sign-in.
 */
export function takeFragmentToken(page: string): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    taken.set(page, token);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return taken.get(page) ?? null;
}

export const forgetFragmentToken = (page: string): void => void taken.delete(page);
