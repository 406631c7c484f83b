const domain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const bracketed = /^\[[0-9a-f:.]+\]$/;
const local = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d{1,5}|\*))?$/;

/**
 * Returns an allowed origin in the form that is stored and sent in a header: `https://host` or `https://*.host`, with a
 * port unless it is 443, or `http://localhost` or `http://127.0.0.1`, with an optional port or `*` for any port. Null
 * for anything else.
 */
export function parseAllowedOrigin(text: string): { origin: string; isLocal: boolean } | null {
  const given = text.trim().toLowerCase();
  if (local.test(given)) return isLocalPort(given) ? { origin: given, isLocal: true } : null;
  const isWildcard = given.startsWith('https://*.');
  const plain = isWildcard ? given.replace('*.', '') : given;
  if (!/^https:\/\/[^/?#@\\]+\/?$/.test(plain) || !URL.canParse(plain)) return null;
  const { hostname, port } = new URL(plain);
  // Rejects hosts that would terminate a header, or that a content security policy would interpret differently.
  if (!domain.test(hostname) && (isWildcard || !bracketed.test(hostname))) return null;
  return { origin: `https://${isWildcard ? '*.' : ''}${hostname}${port ? `:${port}` : ''}`, isLocal: false };
}

const isLocalPort = (origin: string): boolean => {
  const port = /:(\d+)$/.exec(origin)?.[1];
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535 && !port.startsWith('0'));
};

/**
 * Returns whether a page of this origin may show the embed, with the rules of browsers for the same list in
 * `frame-ancestors`.
 */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port, origin: canonical } = new URL(origin);
  if (canonical !== origin) return false;
  return allowed.some((one) => {
    if (one === origin) return true;
    if (one.endsWith(':*')) return one === `${protocol}//${hostname}:*`;
    if (!one.startsWith('https://*.') || protocol !== 'https:') return false;
    const [suffix = '', suffixPort = ''] = one.slice('https://*'.length).split(':');
    return hostname.endsWith(suffix) && port === suffixPort;
  });
}
