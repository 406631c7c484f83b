import { randomBytes } from 'node:crypto';
import type { Config } from '../core/config.ts';
import { decrypt, encrypt } from '../core/crypto.ts';
import type { EncryptedColumn } from '../core/re-encrypt.ts';
import type { SigningSecret } from './webhook-signature.ts';

/** For this long after its rotation `webhook-signature` carries an old secret's signature too. */
export const rotationOverlapMs = 24 * 60 * 60 * 1_000;

export const generateSecret = (): SigningSecret => ({
  secret: `whsec_${randomBytes(32).toString('base64')}`,
  isGenerated: true,
});

/** The value for the column; it decrypts for this webhook only. */
export const sealSecret = (config: Config, webhookId: string, { secret }: SigningSecret): string =>
  encrypt(config.encryptionKeys, secret, contextOf(webhookId));

export const openSecret = (config: Config, webhookId: string, sealed: string, isGenerated: boolean): SigningSecret => ({
  secret: decrypt(config.encryptionKeys, sealed, contextOf(webhookId)).toString('utf8'),
  isGenerated,
});

const contextOf = (webhookId: string): string => `webhooks.secret ${webhookId}`;

export const encryptedSecrets: readonly EncryptedColumn[] = ['secret', 'previous_secret', 'older_secret'].map(
  (column) => ({
    table: 'webhooks',
    column,
    key: { id: '' },
    contextOf: ([id = '']) => contextOf(id),
  }),
);
