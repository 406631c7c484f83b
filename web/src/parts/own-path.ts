/** The address of a picture on this origin: pictures come from the service that serves the console, under whatever name. */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
