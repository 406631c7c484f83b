import { type DestinationStream, pino, type Logger } from 'pino';
import { openLogDestination } from './log-destination.ts';

const secretKeys = [
  'authorization',
  'password',
  'new_password',
  'current_password',
  'key',
  'secret',
  'token',
  'bot_token',
  'botToken',
];
const secretKeysEverywhere = [...secretKeys, 'refresh_token', 'refreshToken', 'access_token', 'accessToken', 'content'];

let stdout: DestinationStream | undefined;

/**
 * Creates a logger that writes structured lines to stdout, one JSON object per line. Secrets and message text are
 * redacted. `fields()` is added to each line.
 */
export const createLogger = (level: string, fields?: () => object): Logger =>
  pino(
    {
      level,
      base: undefined,
      ...(fields && { mixin: fields }),
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretKeysEverywhere.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    },
    (stdout ??= openLogDestination(1)),
  );
