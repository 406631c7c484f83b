import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

/** A secret and its short public id, which is stored with everything that the secret has signed or encrypted. */
export interface NamedKey {
  id: string;
  secret: Buffer;
}

/**
 * Returns a configured secret with an id that is derived from it, so that old and new secrets can coexist without
 * bookkeeping.
 */
export const namedKey = (secret: string): NamedKey => ({
  id: sha256(`key id of ${secret}`).toString('hex').slice(0, 8),
  secret: Buffer.from(hkdfSync('sha256', secret, '', 'agent-chat-service', 32)),
});

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer');

/** Returns `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/**
 * Encrypts with AES-256-GCM under the newest key. Returns `keyId.iv.tag.ciphertext`, the last three parts in base64url.
 * `context`, for example table and row, is authenticated too, so a value that was moved to another row does not
 * decrypt.
 */
export function encrypt(keys: readonly NamedKey[], plaintext: string | Buffer, context: string): string {
  const key = keys[0];
  if (!key) throw new Error('no encryption key is configured');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return [key.id, ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'))].join('.');
}

/**
 * Decrypts a result of `encrypt` with the key that it names.
 * @throws Error when the value was altered or its key is not configured
 */
export function decrypt(keys: readonly NamedKey[], encrypted: string, context: string): Buffer {
  const [keyId, ...parts] = encrypted.split('.');
  const key = keys.find((candidate) => candidate.id === keyId);
  const [iv, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!key || !iv || !tag || !ciphertext) throw new Error(`no key ${keyId ?? ''} to decrypt with`);
  // Without an explicit length Node accepts a tag of four bytes, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key.secret, iv, { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
