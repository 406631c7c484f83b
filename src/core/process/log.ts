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

/** Structured logs on stdout, one JSON object a line, secrets and message text redacted. Each line says `fields()` besides. */
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
