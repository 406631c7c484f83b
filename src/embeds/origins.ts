const domain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const bracketed = /^\[[0-9a-f:.]+\]$/;
const local = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::(?:\d{1,5}|\*))?$/;

/**
 * The form in which an allowed origin is stored and sent in a header: `https://host`, `https://*.host`, with a port that is
 * not 443, and on this machine `http://localhost` with any port (`*`). Null for anything else.
 */
export function parseAllowedOrigin(text: string): { origin: string; isLocal: boolean } | null {
  const given = text.trim().toLowerCase();
  if (local.test(given)) return isLocalPort(given) ? { origin: given, isLocal: true } : null;
  const isWildcard = given.startsWith('https://*.');
  const plain = isWildcard ? given.replace('*.', '') : given;
  if (!/^https:\/\/[^/?#@\\]+\/?$/.test(plain) || !URL.canParse(plain)) return null;
  const { hostname, port } = new URL(plain);
  // A host that a header would end at, or that a policy reads otherwise, is none.
  if (!domain.test(hostname) && (isWildcard || !bracketed.test(hostname))) return null;
  return { origin: `https://${isWildcard ? '*.' : ''}${hostname}${port ? `:${port}` : ''}`, isLocal: false };
}

const isLocalPort = (origin: string): boolean => {
  const port = /:(\d+)$/.exec(origin)?.[1];
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535 && !port.startsWith('0'));
};

/** Whether a page of this origin may show the embed, as a browser decides it for the same list in `frame-ancestors`. */
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
