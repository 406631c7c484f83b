import { pino, type DestinationStream, type Logger } from 'pino';

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

/** Structured logs on stdout (or `destination`), one JSON object a line, secrets and message text redacted. */
export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretKeysEverywhere.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
