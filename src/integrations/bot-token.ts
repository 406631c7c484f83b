import { decrypt, encrypt, sha256 } from '../core/crypto.ts';
import type { Config } from '../core/config.ts';
import type { EncryptedColumn } from '../core/re-encrypt.ts';
import type { Bot, PlatformKind } from './platforms.ports.ts';

const context = (integrationId: string): string => `integrations.bot_token ${integrationId}`;

export const encryptedBotTokens: EncryptedColumn = {
  table: 'integrations',
  column: 'bot_token',
  key: { id: '' },
  contextOf: ([id = '']) => context(id),
};

/** A bot token as it is stored: readable with the service's keys and only in the row that it was made for. */
export const sealBotToken = ({ encryptionKeys }: Config, integrationId: string, token: string): string =>
  encrypt(encryptionKeys, token, context(integrationId));

/** The stored token, for the platform's SDK and nothing else. @throws when its key is gone */
export const openBot = ({ encryptionKeys }: Config, row: { id: string; botToken: string; place: string }): Bot => ({
  token: decrypt(encryptionKeys, row.botToken, context(row.id)).toString(),
  place: row.place,
});

/** Recognises a token without being able to tell it. */
export const botTokenHash = (platform: PlatformKind, token: string): Buffer => sha256(`${platform} ${token}`);
