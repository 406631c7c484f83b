import type { Config } from '../core/config/config.ts';
import { decrypt, encrypt, randomToken } from '../core/crypto.ts';
import type { EncryptedColumn } from '../core/database/re-encrypt.ts';

/** How long an old secret stays valid after its rotation, in milliseconds. */
export const secretOverlapMs = 24 * 60 * 60 * 1_000;

export const newIdentitySecret = (): string => `ems_${randomToken()}`;

/** Encrypts a secret for a column of an embed. It can be decrypted only for this embed. */
export const sealEmbedSecret = (config: Config, embedId: string, secret: string): string =>
  encrypt(config.encryptionKeys, secret, contextOf(embedId));

/**
 * Decrypts a result of `sealEmbedSecret`. @throws Error when it belongs to another embed or its key is not configured
 */
export const openEmbedSecret = (config: Config, embedId: string, sealed: string): string =>
  decrypt(config.encryptionKeys, sealed, contextOf(embedId)).toString('utf8');

const contextOf = (embedId: string): string => `embeds.secret ${embedId}`;

export const encryptedEmbedSecrets: readonly EncryptedColumn[] = [
  'identity_secret',
  'previous_secret',
  'challenge_secret',
].map((column) => ({ table: 'embeds', column, key: { id: '' }, contextOf: ([id = '']) => contextOf(id) }));
