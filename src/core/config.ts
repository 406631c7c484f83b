import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { namedKey, type NamedKey } from './crypto.ts';
import { type GenerationLimits, parseGenerationLimits } from './generation-limits.ts';
import { type ModelTable, parseModels } from './models.ts';
import { parseRateLimits, type RateLimitTable } from './rate-limit-table.ts';
import { parsePrices, type PriceTable } from './price-table.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { parseVoices, type VoiceTable } from './voices.ts';

/** Settings of a process, read once, checked, frozen. Times are milliseconds unless their name says otherwise. */
export interface Config {
  profile: 'embedded' | 'production';
  role: 'all' | 'web' | 'worker';
  host: string;
  port: number;
  /** Base of the links that the service hands out, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  mongodbUrl: string | null;
  trustProxy: boolean;
  logLevel: string;
  introspection: boolean;
  /** Newest first: the first signs or encrypts, all of them verify or decrypt. */
  authKeys: readonly NamedKey[];
  encryptionKeys: readonly NamedKey[];
  models: ModelTable;
  rateLimits: RateLimitTable;
  generationLimits: GenerationLimits;
  mail: {
    /** `null`: mails go to the outbox. */
    smtpUrl: string | null;
    from: string;
  };
  /** `file:` URL of a folder, or `s3://bucket/prefix`. */
  filesUrl: string;
  webhooks: {
    /** One more attempt after each. */
    retryDelaysSeconds: readonly number[];
    /** Loopback and private addresses may be delivered to. */
    allowPrivate: boolean;
    /** Deliveries that are done, and events, are kept this long. */
    retentionDays: number;
  };
  platforms: {
    /** Stand-ins on loopback instead of the platforms. */
    simulated: boolean;
    /** Checks what chat_workspace sends; null: nothing that comes is believed. */
    signingSecret: string | null;
    /** The platforms' API hosts; null: the vendor's, or the stand-in's. */
    apiBases: Readonly<Record<'chat_server' | 'chat_messenger' | 'chat_workspace', string | null>>;
  };
  voice: {
    voices: VoiceTable;
    speechModel: string;
    transcriptionModel: string;
    /** A provider of its own for speech; `null`: the one of everything else. */
    speechProvider: { baseUrl: string; apiKey: string } | null;
  };
  openai: { apiKey: string | null; baseUrl: string | null; firstDeltaTimeoutMs: number; idleTimeoutMs: number };
  knowledge: {
    embedding: { model: string; dimensions: number };
    chunkSize: { tokens: number; overlapTokens: number };
    /** Null: vectors live in PostgreSQL. */
    pinecone: { apiKey: string; index: string; controllerHost: string | null } | null;
  };
  /** Without a key and an address the stand-in takes the place of Stripe. */
  stripe: {
    secretKey: string | null;
    webhookSecret: string | null;
    /** Scheme, host and port of another implementation of Stripe's API. */
    apiBase: string | null;
    prices: PriceTable | null;
  };
}

/** The environment can't be used. `faults` has a line for each fault, all of them at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });
const timeouts = z
  .string()
  .regex(/^\d+,\d+$/, 'must be two numbers of milliseconds such as 60000,60000')
  .transform((value) => value.split(',').map(Number) as [number, number]);
const delays = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,9}$/, 'must be one to ten numbers of seconds such as 10,60,300')
  .transform((value) => value.split(',').map(Number));
const chunkSize = z
  .string()
  .regex(/^\d+,\d+$/, 'must be two numbers of tokens, size and overlap, such as 400,50')
  .transform((value) => value.split(',').map(Number) as [number, number])
  .refine(([tokens, overlap]) => tokens >= 50 && tokens <= 4_000 && overlap * 2 <= tokens, {
    message: 'must be a size from 50 to 4000 and an overlap of at most half of it',
  });
const secretList = z
  .string()
  .transform((value) => value.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= 32), 'each secret must have at least 32 characters');

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PROFILE: z.enum(['embedded', 'production']).optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  MONGODB_URL: url('mongodb:', 'mongodb+srv:').optional(),
  TRUST_PROXY: flag.default(false),
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
  FILES_URL: url('file:', 's3:').optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: url('http:', 'https:').optional(),
  WEBHOOK_RETRY_DELAYS: delays.default([10, 60, 300]),
  WEBHOOK_ALLOW_PRIVATE: flag.optional(),
  WEBHOOK_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  EMBEDDING_MODEL: z.string().trim().min(1).max(200).default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(4_096).default(512),
  CHUNK_TOKENS: chunkSize.default([400, 50]),
  PINECONE_API_KEY: z.string().min(1).optional(),
  PINECONE_INDEX: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,43}[a-z0-9])?$/, 'must be 1 to 45 of a-z, 0-9 and inner hyphens')
    .default('agent-chat-service'),
  PINECONE_CONTROLLER_HOST: url('http:', 'https:').optional(),
  CHAT_PLATFORMS: z.enum(['live', 'simulated']).optional(),
  SLACK_SIGNING_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  CHAT_SERVER_API_BASE: url('http:', 'https:').optional(),
  CHAT_MESSENGER_API_BASE: url('http:', 'https:').optional(),
  CHAT_WORKSPACE_API_BASE: url('http:', 'https:').optional(),
  SPEECH_MODEL: z.string().trim().min(1).max(200).default('gpt-4o-mini-tts'),
  SPEECH_BASE_URL: url('http:', 'https:').optional(),
  SPEECH_API_KEY: z.string().min(1).optional(),
  TRANSCRIPTION_MODEL: z.string().trim().min(1).max(200).default('whisper-1'),
  VOICES: z.string().optional(),
  UPSTREAM_TIMEOUTS: timeouts.default([60_000, 60_000]),
  STRIPE_SECRET_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  STRIPE_API_BASE: url('http:', 'https:').optional(),
  STRIPE_PRICES: z.string().optional(),
});

/** Names of all variables that are read; the README's table is compared with them. */
export const environmentVariables = Object.keys(environment.shape);

/** @throws ConfigError naming every fault */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const vars = parsed.data;
  const profile = vars.PROFILE ?? (vars.NODE_ENV === 'production' ? 'production' : 'embedded');
  const faults: string[] = [];
  const attempt = <T>(name: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  if (profile === 'production') faults.push(...missingInProduction(vars));
  const models = attempt('MODELS', () => parseModels(vars.MODELS));
  const voices = attempt('VOICES', () => parseVoices(vars.VOICES));
  const rateLimits = attempt('RATE_LIMITS', () => parseRateLimits(vars.RATE_LIMITS));
  const generationLimits = attempt('GENERATION_LIMITS', () => parseGenerationLimits(vars.GENERATION_LIMITS));
  const prices = attempt('STRIPE_PRICES', () => parsePrices(vars.STRIPE_PRICES));
  if (vars.STRIPE_SECRET_KEY) faults.push(...missingBesideStripeKey(vars));
  const dataDir = resolve(vars.DATA_DIR);
  const generated =
    profile === 'embedded' && faults.length === 0 && !(vars.AUTH_SECRET && vars.ENCRYPTION_KEYS)
      ? attempt('DATA_DIR', () => loadOrCreateSecrets(dataDir))
      : undefined;
  if (faults.length > 0 || !models || !voices || !rateLimits || !generationLimits) throw new ConfigError(faults);

  const publicUrl = (vars.PUBLIC_URL ?? `http://localhost:${vars.PORT}`).replace(/\/+$/, '');
  return Object.freeze({
    profile,
    role: vars.ROLE,
    host: vars.HOST ?? (profile === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: vars.PORT,
    publicUrl,
    dataDir,
    databaseUrl: vars.DATABASE_URL ?? null,
    mongodbUrl: vars.MONGODB_URL ?? null,
    trustProxy: vars.TRUST_PROXY,
    logLevel: vars.LOG_LEVEL,
    introspection: vars.GRAPHQL_INTROSPECTION ?? profile === 'embedded',
    authKeys: (vars.AUTH_SECRET ?? [generated?.authSecret ?? '']).map(namedKey),
    encryptionKeys: (vars.ENCRYPTION_KEYS ?? [generated?.encryptionKey ?? '']).map(namedKey),
    models,
    rateLimits,
    generationLimits,
    mail: {
      smtpUrl: vars.SMTP_URL ?? null,
      from: vars.MAIL_FROM ?? `Agent Chat Service <no-reply@${new URL(publicUrl).hostname}>`,
    },
    filesUrl: vars.FILES_URL ?? pathToFileURL(join(dataDir, 'files')).href,
    webhooks: {
      retryDelaysSeconds: vars.WEBHOOK_RETRY_DELAYS,
      allowPrivate: vars.WEBHOOK_ALLOW_PRIVATE ?? profile === 'embedded',
      retentionDays: vars.WEBHOOK_RETENTION_DAYS,
    },
    platforms: {
      simulated: (vars.CHAT_PLATFORMS ?? (profile === 'production' ? 'live' : 'simulated')) === 'simulated',
      signingSecret: vars.SLACK_SIGNING_SECRET ?? null,
      apiBases: {
        chat_server: vars.CHAT_SERVER_API_BASE ?? null,
        chat_messenger: vars.CHAT_MESSENGER_API_BASE ?? null,
        chat_workspace: vars.CHAT_WORKSPACE_API_BASE ?? null,
      },
    },
    voice: {
      voices,
      speechModel: vars.SPEECH_MODEL,
      transcriptionModel: vars.TRANSCRIPTION_MODEL,
      // The key of one provider is never sent to another.
      speechProvider: vars.SPEECH_BASE_URL
        ? { baseUrl: vars.SPEECH_BASE_URL, apiKey: vars.SPEECH_API_KEY ?? 'none' }
        : null,
    },
    openai: {
      apiKey: vars.OPENAI_API_KEY ?? null,
      baseUrl: vars.OPENAI_BASE_URL ?? null,
      firstDeltaTimeoutMs: vars.UPSTREAM_TIMEOUTS[0],
      idleTimeoutMs: vars.UPSTREAM_TIMEOUTS[1],
    },
    knowledge: {
      embedding: { model: vars.EMBEDDING_MODEL, dimensions: vars.EMBEDDING_DIMENSIONS },
      chunkSize: { tokens: vars.CHUNK_TOKENS[0], overlapTokens: vars.CHUNK_TOKENS[1] },
      pinecone: vars.PINECONE_API_KEY
        ? {
            apiKey: vars.PINECONE_API_KEY,
            index: vars.PINECONE_INDEX,
            controllerHost: vars.PINECONE_CONTROLLER_HOST ?? null,
          }
        : null,
    },
    stripe: {
      secretKey: vars.STRIPE_SECRET_KEY ?? null,
      webhookSecret: vars.STRIPE_WEBHOOK_SECRET ?? null,
      apiBase: vars.STRIPE_API_BASE ?? null,
      prices: prices ?? null,
    },
  });
}

/** A key alone can neither sell nor be told that something was paid. */
const missingBesideStripeKey = (vars: z.output<typeof environment>): string[] =>
  (['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'] as const)
    .filter((name) => !vars[name])
    .map((name) => `${name}: is required beside STRIPE_SECRET_KEY; "npm run stripe:setup" makes it`);

/** What the production profile will not start without: nothing embedded, nothing generated. */
function missingInProduction(vars: z.output<typeof environment>): string[] {
  const required = [
    'DATABASE_URL',
    'AUTH_SECRET',
    'ENCRYPTION_KEYS',
    'PUBLIC_URL',
    'OPENAI_API_KEY',
    'STRIPE_SECRET_KEY',
  ] as const;
  const faults = required.filter((name) => !vars[name]).map((name) => `${name}: is required in the production profile`);
  if (vars.CHAT_PLATFORMS === 'simulated') faults.push('CHAT_PLATFORMS: must be live in the production profile');
  return faults;
}
