import { decrypt, encrypt, sha256 } from '../core/crypto.ts';
import type { Config } from '../core/config/config.ts';
import type { EncryptedColumn } from '../core/database/re-encrypt.ts';
import type { Bot, PlatformKind } from './platforms.ports.ts';

const context = (integrationId: string): string => `integrations.bot_token ${integrationId}`;

export const encryptedBotTokens: EncryptedColumn = {
  table: 'integrations',
  column: 'bot_token',
  key: { id: '' },
  contextOf: ([id = '']) => context(id),
};

/** Encrypts a bot token for its row. It can be decrypted only with the service's keys and for that row. */
export const sealBotToken = ({ encryptionKeys }: Config, integrationId: string, token: string): string =>
  encrypt(encryptionKeys, token, context(integrationId));

/** Decrypts the stored token, for the platform's SDK only. @throws Error when its key is no longer configured */
export const openBot = ({ encryptionKeys }: Config, row: { id: string; botToken: string; place: string }): Bot => ({
  token: decrypt(encryptionKeys, row.botToken, context(row.id)).toString(),
  place: row.place,
});

/** Returns a hash of a token, to detect that it is connected already. */
export const botTokenHash = (platform: PlatformKind, token: string): Buffer => sha256(`${platform} ${token}`);
