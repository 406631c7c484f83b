/** A host of one or more labels. Intranets and test systems have hosts with `_` or without a dot. */
const host = /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?|_[a-z0-9_-]*[a-z0-9])(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)*$/;
const bracketed = /^\[[0-9a-f:.]+\]$/;
/** Origins of apps that show web pages from their own files. */
const app = /^(?:capacitor|ionic|tauri):\/\/localhost$/;
const maxLength = 300;
const anyPort = /^http:\/\/(?:localhost|127\.0\.0\.1):\*$/;

/**
 * Returns an allowed origin in the form that is stored and sent in a header: `https://host` or `https://*.host`, with a
 * port unless it is that of the protocol. For tests also `http://host`, `http://localhost:*` for any port, and the origins
 * of apps such as `capacitor://localhost`. Null for anything else.
 */
export function parseAllowedOrigin(text: string): { origin: string; isSecure: boolean } | null {
  const given = text.trim().toLowerCase();
  if (given.length > maxLength) return null;
  if (app.test(given) || anyPort.test(given)) return { origin: given, isSecure: false };
  const [, scheme = '', wildcard = '', rest = ''] = /^(https?):\/\/(\*\.)?([^/?#@\\*%]+)\/?$/.exec(given) ?? [];
  const plain = `${scheme}://${rest}`;
  if (rest === '' || !URL.canParse(plain)) return null;
  const { hostname, port } = new URL(plain);
  // Rejects hosts that would terminate a header, or that a content security policy would interpret differently.
  if (!host.test(hostname) && (wildcard !== '' || !bracketed.test(hostname))) return null;
  // A number is a short form of an address; a wildcard stands for subdomains of a domain.
  const isAddress = /(?:^|\.)\d+$/.test(hostname);
  if (isAddress && (wildcard !== '' || !rest.startsWith(hostname))) return null;
  if (port === '0' || (wildcard !== '' && !hostname.includes('.'))) return null;
  const origin = `${scheme}://${wildcard}${hostname}${port ? `:${port}` : ''}`;
  return { origin, isSecure: scheme === 'https' };
}

/**
 * Returns whether a page of this origin may show the embed, with the rules of browsers for the same list in
 * `frame-ancestors`.
 */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port, origin: canonical } = new URL(origin);
  if (canonical !== origin) return false;
  return allowed.some((one) => {
    if (one.endsWith(':*')) return one === `${protocol}//${hostname}:*`;
    if (!one.includes('://*.') || !one.startsWith(`${protocol}//`)) return false;
    const [suffix = '', suffixPort = ''] = one.slice(`${protocol}//*`.length).split(':');
    return hostname.endsWith(suffix) && port === suffixPort;
  });
}
