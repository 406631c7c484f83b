const failed = new Set<HTMLLinkElement>();
let loading: Promise<unknown> = Promise.resolve();

// An error of a resource does not bubble.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  },
  true,
);

/**
 * Requests stylesheets again that could not be loaded. Vite adds each stylesheet once, so that a part whose stylesheet
 * failed would be shown without it.
 * @throws when a stylesheet fails again
 */
export function loadFailedStyles(): Promise<unknown> {
  if (failed.size > 0) loading = Promise.all([loading.catch(() => undefined), ...[...failed].map(loadAgain)]);
  failed.clear();
  return loading;
}

/** Keeps the position of the stylesheet, because a later rule counts more. */
function loadAgain(link: HTMLLinkElement): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const again = link.cloneNode() as HTMLLinkElement;
  again.addEventListener('load', resolve);
  again.addEventListener('error', reject);
  link.replaceWith(again);
  return promise;
}
