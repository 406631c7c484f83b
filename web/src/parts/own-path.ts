/** Returns the path of a picture's URL, to load it from this origin: the service may have several names. */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
