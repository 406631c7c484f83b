/** Tokens by page. React may render a page twice, and the second time the address has no token any more. */
const taken = new Map<string, string>();

/**
 * Returns the token in the fragment of a mail's link. Removes it from the address and the history, and keeps it in
 * memory while the page is open, so that it survives a sign-in.
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
