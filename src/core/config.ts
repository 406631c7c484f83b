import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { namedKey, type NamedKey } from './crypto.ts';
import { environment, type Environment } from './environment.ts';
import { type GenerationLimits, parseGenerationLimits } from './generation-limits.ts';
import { type ModelTable, parseModels } from './models.ts';
import { type PriceTable, parsePrices } from './price-table.ts';
import { faultsInProduction } from './production-profile.ts';
import { parseRateLimits, type RateLimitTable } from './rate-limit-table.ts';
import { type GeneratedSecrets, loadOrCreateSecrets } from './secrets.ts';
import { parseVoices, type VoiceTable } from './voices.ts';

type Variables = Readonly<Record<string, string | undefined>>;

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
  /** A stopping process goes on answering for so long, until whoever sends it requests has seen that it stops. */
  drainMs: number;
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

/** @throws ConfigError naming every fault */
export function readConfig(env: Variables): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const profile = profileOf(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const attempt = <T>(name: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  if (profile === 'production') faults.push(...faultsInProduction(given));
  if (given['STRIPE_SECRET_KEY']) faults.push(...missingBesideStripeKey(given));
  const tables = readTables(given, attempt);
  if (!parsed.success || faults.length > 0 || !tables) throw new ConfigError(faults);
  const vars = parsed.data;
  if (vars.AUTH_SECRET && vars.ENCRYPTION_KEYS) return toConfig(vars, profile, tables, null);
  const generated = attempt('DATA_DIR', () => loadOrCreateSecrets(resolve(vars.DATA_DIR)));
  if (!generated) throw new ConfigError(faults);
  return toConfig(vars, profile, tables, generated);
}

const profileOf = (given: Variables): Config['profile'] => {
  const production = given['PROFILE'] ? given['PROFILE'] === 'production' : given['NODE_ENV'] === 'production';
  return production ? 'production' : 'embedded';
};

type Tables = NonNullable<ReturnType<typeof readTables>>;

/** What is given as JSON. Nothing when a part of it is not usable, which `attempt` has then noted. */
function readTables(given: Variables, attempt: <T>(name: string, read: () => T) => T | undefined) {
  const models = attempt('MODELS', () => parseModels(given['MODELS']));
  const voices = attempt('VOICES', () => parseVoices(given['VOICES']));
  const rateLimits = attempt('RATE_LIMITS', () => parseRateLimits(given['RATE_LIMITS']));
  const generationLimits = attempt('GENERATION_LIMITS', () => parseGenerationLimits(given['GENERATION_LIMITS']));
  const prices = attempt('STRIPE_PRICES', () => parsePrices(given['STRIPE_PRICES']));
  return models && voices && rateLimits && generationLimits && { models, voices, rateLimits, generationLimits, prices };
}

function toConfig(
  vars: Environment,
  profile: Config['profile'],
  tables: Tables,
  generated: GeneratedSecrets | null,
): Config {
  const dataDir = resolve(vars.DATA_DIR);
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
    drainMs: (vars.DRAIN_SECONDS ?? (profile === 'production' ? 5 : 0)) * 1_000,
    logLevel: vars.LOG_LEVEL,
    introspection: vars.GRAPHQL_INTROSPECTION ?? profile === 'embedded',
    authKeys: (vars.AUTH_SECRET ?? [generated?.authSecret ?? '']).map(namedKey),
    encryptionKeys: (vars.ENCRYPTION_KEYS ?? [generated?.encryptionKey ?? '']).map(namedKey),
    models: tables.models,
    rateLimits: tables.rateLimits,
    generationLimits: tables.generationLimits,
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
      voices: tables.voices,
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
      prices: tables.prices ?? null,
    },
  });
}

/** A key alone can neither sell nor be told that something was paid. */
const missingBesideStripeKey = (given: Variables): string[] =>
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES']
    .filter((name) => !given[name])
    .map((name) => `${name}: is required beside STRIPE_SECRET_KEY; "npm run stripe:setup" makes it`);
