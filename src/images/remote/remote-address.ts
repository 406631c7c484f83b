import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';

const signatureOf = (secret: Buffer, url: string): Buffer =>
  createHmac('sha256', secret).update(`remote image\n${url}`).digest();

/**
 * Returns the URL at which this service serves a copy of an external picture, so that browsers do not contact other
 * hosts. The URL is signed, because the service must fetch only URLs of avatars. Null for a URL that is not https.
 */
export function proxiedUrl({ publicUrl, authKeys }: Config, url: string): string | null {
  const [key] = authKeys;
  if (!key || !url.startsWith('https://')) return null;
  const signature = signatureOf(key.secret, url).toString('base64url');
  return `${publicUrl}/images/remote/${signature}.webp?url=${encodeURIComponent(url)}`;
}

/** Returns whether the service has signed the URL with any of its keys. */
export function isSigned({ authKeys }: Config, url: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  return authKeys.some(({ secret }) => {
    const expected = signatureOf(secret, url);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
