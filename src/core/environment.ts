import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });
/** Links are made by what is put behind it. */
const isBase = (value: string): boolean => {
  const { username, password, search, hash } = URL.parse(value) ?? {};
  return !username && !password && !search && !hash;
};
const isPlace = (value: string): boolean => {
  const { protocol, host } = URL.parse(value) ?? {};
  return (protocol === 's3:') === Boolean(host);
};
const timeouts = z
  .string()
  .regex(/^\d+,\d+$/, 'must be two numbers of milliseconds such as 60000,60000')
  .transform((value) => value.split(',').map(Number) as [number, number])
  .refine((given) => given.every((ms) => ms >= 1 && ms <= 3_600_000), 'each must be from 1 to 3600000 (an hour)');
const delays = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,9}$/, 'must be one to ten numbers of seconds such as 10,60,300')
  .transform((value) => value.split(',').map(Number))
  .refine((given) => given.every((seconds) => seconds <= 604_800), 'each must be at most 604800 (a week)');
const chunkSize = z
  .string()
  .regex(/^\d+,\d+$/, 'must be two numbers of tokens, size and overlap, such as 400,50')
  .transform((value) => value.split(',').map(Number) as [number, number])
  .refine(([tokens, overlap]) => tokens >= 50 && tokens <= 4_000 && overlap * 2 <= tokens, {
    message: 'must be a size from 50 to 4000 and an overlap of at most half of it',
  });
export const leastSecretCharacters = 32;

/** A key goes into headers as it is: the line break that a file ended with would fail each call, not the start. */
const key = z.string().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

const secretList = z
  .string()
  .transform((value) => value.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= leastSecretCharacters), {
    message: `each secret must have at least ${leastSecretCharacters} characters`,
  });

/** Every variable that is read, with its form and, where one value fits all profiles, its default. */
export const environment = z.object({
  NODE_ENV: z.string().optional(),
  PROFILE: z.enum(['embedded', 'production']).optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: url('http:', 'https:').refine(isBase, 'must have no credentials, query or fragment').optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  // Names several hosts of a replica set, which a URL of the web can't.
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/[^\s/]+/, 'must be a URL that starts with mongodb:// or mongodb+srv://')
    .optional(),
  TRUST_PROXY: flag.default(false),
  DRAIN_SECONDS: z.coerce.number().min(0).max(15).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  GRAPHQL_INTROSPECTION: flag.optional(),
  AUTH_SECRET: secretList.optional(),
  ENCRYPTION_KEYS: secretList.optional(),
  MODELS: z.string().optional(),
  RATE_LIMITS: z.string().optional(),
  GENERATION_LIMITS: z.string().optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{0,200}@[^\r\n]{1,253}$/, 'must be an address such as Name <name@example.com>')
    .optional(),
  FILES_URL: url('file:', 's3:')
    .refine(isPlace, 'must be file:///folder with three slashes, or s3://bucket/prefix')
    .optional(),
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: url('http:', 'https:').optional(),
  WEBHOOK_RETRY_DELAYS: delays.default([10, 60, 300]),
  WEBHOOK_ALLOW_PRIVATE: flag.optional(),
  WEBHOOK_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  EMBEDDING_MODEL: z.string().trim().min(1).max(200).default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(4_096).default(512),
  CHUNK_TOKENS: chunkSize.default([400, 50]),
  PINECONE_API_KEY: key.optional(),
  PINECONE_INDEX: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,43}[a-z0-9])?$/, 'must be 1 to 45 of a-z, 0-9 and inner hyphens')
    .default('agent-chat-service'),
  PINECONE_CONTROLLER_HOST: url('http:', 'https:').optional(),
  CHAT_PLATFORMS: z.enum(['live', 'simulated']).optional(),
  SLACK_SIGNING_SECRET: key.min(16, 'must have at least 16 characters').optional(),
  CHAT_SERVER_API_BASE: url('http:', 'https:').optional(),
  CHAT_MESSENGER_API_BASE: url('http:', 'https:').optional(),
  CHAT_WORKSPACE_API_BASE: url('http:', 'https:').optional(),
  SPEECH_MODEL: z.string().trim().min(1).max(200).default('gpt-4o-mini-tts'),
  SPEECH_BASE_URL: url('http:', 'https:').optional(),
  SPEECH_API_KEY: key.optional(),
  TRANSCRIPTION_MODEL: z.string().trim().min(1).max(200).default('whisper-1'),
  VOICES: z.string().optional(),
  UPSTREAM_TIMEOUTS: timeouts.default([60_000, 60_000]),
  STRIPE_SECRET_KEY: key.optional(),
  STRIPE_WEBHOOK_SECRET: key.optional(),
  STRIPE_API_BASE: url('http:', 'https:').optional(),
  STRIPE_PRICES: z.string().optional(),
});

/** The environment, parsed. */
export type Environment = z.output<typeof environment>;

/** Names of all variables that are read; the README's table is compared with them. */
export const environmentVariables = Object.keys(environment.shape);
