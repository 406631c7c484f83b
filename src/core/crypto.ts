import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

/** A secret and the short public name by which what it made is recognised later. */
export interface NamedKey {
  id: string;
  secret: Buffer;
}

/** The named form of a configured secret: its id is derived, so old and new ones live side by side without bookkeeping. */
export const namedKey = (secret: string): NamedKey => ({
  id: sha256(`key id of ${secret}`).toString('hex').slice(0, 8),
  secret: Buffer.from(hkdfSync('sha256', secret, '', 'agent-chat-service', 32)),
});

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer');

/** `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * AES-256-GCM under the newest key: `keyId.iv.tag.ciphertext` in base64url. `context` (table and row, say) is
 * authenticated with it, so that a value moved to another row does not decrypt.
 */
export function encrypt(keys: readonly NamedKey[], plaintext: string | Buffer, context: string): string {
  const key = keys[0];
  if (!key) throw new Error('no encryption key is configured');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return [key.id, ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'))].join('.');
}

/** The plaintext of `encrypt`, under whichever configured key made it. @throws when it was altered or its key is gone */
export function decrypt(keys: readonly NamedKey[], encrypted: string, context: string): Buffer {
  const [keyId, ...parts] = encrypted.split('.');
  const key = keys.find((candidate) => candidate.id === keyId);
  const [iv, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!key || !iv || !tag || !ciphertext) throw new Error(`no key ${keyId ?? ''} to decrypt with`);
  // Without this length Node takes a tag of four bytes, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key.secret, iv, { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
