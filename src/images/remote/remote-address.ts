import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';

const signatureOf = (secret: Buffer, url: string): Buffer =>
  createHmac('sha256', secret).update(`remote image\n${url}`).digest();

/**
 * The address at this service that shows a picture from elsewhere, so that browsers do not fetch it there. Signed: the service
 * fetches only addresses of avatars.
 */
export function proxiedUrl({ publicUrl, authKeys }: Config, url: string): string | null {
  const [key] = authKeys;
  if (!key || !url.startsWith('https://')) return null;
  const signature = signatureOf(key.secret, url).toString('base64url');
  return `${publicUrl}/images/remote/${signature}.webp?url=${encodeURIComponent(url)}`;
}

/** Whether the service made the signature, with any of its keys. */
export function isSigned({ authKeys }: Config, url: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  return authKeys.some(({ secret }) => {
    const expected = signatureOf(secret, url);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
