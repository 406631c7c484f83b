import { randomBytes } from 'node:crypto';
import type { Config } from '../core/config/config.ts';
import { decrypt, encrypt } from '../core/crypto.ts';
import type { EncryptedColumn } from '../core/database/re-encrypt.ts';

/** Time after a rotation in which the old secret still signs the `webhook-signature` header. */
export const rotationOverlapMs = 24 * 60 * 60 * 1_000;

export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Encrypts a secret for storage. The ciphertext can be decrypted only for the same webhook. */
export const sealSecret = (config: Config, webhookId: string, secret: string): string =>
  encrypt(config.encryptionKeys, secret, contextOf(webhookId));

/** Decrypts a result of `sealSecret`. @throws Error when it belongs to another webhook or its key is not configured */
export const openSecret = (config: Config, webhookId: string, sealed: string): string =>
  decrypt(config.encryptionKeys, sealed, contextOf(webhookId)).toString('utf8');

const contextOf = (webhookId: string): string => `webhooks.secret ${webhookId}`;

export const encryptedSecrets: readonly EncryptedColumn[] = ['secret', 'previous_secret', 'older_secret'].map(
  (column) => ({
    table: 'webhooks',
    column,
    key: { id: '' },
    contextOf: ([id = '']) => contextOf(id),
  }),
);
