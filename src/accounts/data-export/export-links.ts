import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NamedKey } from '../../core/crypto.ts';

/**
 * Returns a signed link to an export. Anyone with the link can download the archive until `expiresAt`, which is checked
 * in the database.
 */
export function exportLink(keys: readonly NamedKey[], publicUrl: string, id: string, expiresAt: Date): string {
  const key = keys[0];
  if (!key) throw new Error('no signing key is configured');
  const seconds = Math.floor(expiresAt.getTime() / 1000);
  return `${publicUrl}/exports/${id}?token=${seconds}.${key.id}.${sign(key, id, seconds).toString('base64url')}`;
}

/** Returns whether one of the keys signed `token` for this export. Does not check the expiry. */
export function isExportLink(keys: readonly NamedKey[], id: string, token: string): boolean {
  const [, seconds, keyId, signature] = /^(\d{1,12})\.([0-9a-f]{8})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const key = keys.find((candidate) => candidate.id === keyId);
  if (!key || !seconds || !signature) return false;
  return timingSafeEqual(sign(key, id, Number(seconds)), Buffer.from(signature, 'base64url'));
}

const sign = (key: NamedKey, id: string, seconds: number): Buffer =>
  createHmac('sha256', key.secret).update(`data export link ${id} ${seconds}`).digest();
