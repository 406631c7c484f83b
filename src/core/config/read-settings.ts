import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { namedKey } from '../crypto.ts';
import { type GeneratedSecrets, loadOrCreateSecrets } from '../secrets.ts';
import type { Config } from './config.ts';
import { environment, type Environment } from './environment.ts';
import { faultsInProduction } from './production-profile.ts';
import type { Settings } from './settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown when the environment is not usable. `faults` has one line for each fault. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Reads the variables of core and of `settings`, which are those of the features.
 * @throws ConfigError that lists every fault
 */
export function readSettings(env: Variables, settings: readonly Settings[]): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const shape = Object.assign({}, environment, ...settings.map(({ variables }) => variables)) as typeof environment;
  const parsed = z.object(shape).safeParse(given);
  const profile = profileOf(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (profile === 'production') faults.push(...faultsInProduction(given));
  if (given['STRIPE_SECRET_KEY']) faults.push(...missingBesideStripeKey(given));
  faults.push(...settingsWithoutEffect(given));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const base = coreConfig(parsed.data, profile, secretsOf(parsed.data));
  const parts = settings.map((part) => part.read(parsed.data, base));
  return Object.freeze(Object.assign(base, ...parts) as Config);
}

const profileOf = (given: Variables): Config['profile'] => {
  const production = given['PROFILE'] ? given['PROFILE'] === 'production' : given['NODE_ENV'] === 'production';
  return production ? 'production' : 'embedded';
};

/** Returns null when both secrets are configured. */
function secretsOf(vars: Environment): GeneratedSecrets | null {
  if (vars.AUTH_SECRET && vars.ENCRYPTION_KEYS) return null;
  try {
    return loadOrCreateSecrets(resolve(vars.DATA_DIR));
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${(error as Error).message}`]);
  }
}

type CoreConfig = Pick<
  Config,
  | 'profile'
  | 'role'
  | 'host'
  | 'port'
  | 'publicUrl'
  | 'dataDir'
  | 'databaseUrl'
  | 'databaseDirectUrl'
  | 'databaseReplicaUrl'
  | 'databasePoolSize'
  | 'databaseWaitMs'
  | 'mongodbUrl'
  | 'trustProxy'
  | 'drainMs'
  | 'logLevel'
  | 'introspection'
  | 'authKeys'
  | 'encryptionKeys'
  | 'rateLimits'
  | 'filesUrl'
  | 'openai'
>;

function coreConfig(vars: Environment, profile: Config['profile'], generated: GeneratedSecrets | null): CoreConfig {
  const dataDir = resolve(vars.DATA_DIR);
  return {
    profile,
    role: vars.ROLE,
    host: vars.HOST ?? (profile === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: vars.PORT,
    publicUrl: (vars.PUBLIC_URL ?? `http://localhost:${vars.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: vars.DATABASE_URL ?? null,
    databaseDirectUrl: vars.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: vars.DATABASE_REPLICA_URL ?? null,
    databasePoolSize: vars.DATABASE_POOL_SIZE ?? null,
    databaseWaitMs: vars.DATABASE_WAIT_MS,
    mongodbUrl: vars.MONGODB_URL ?? null,
    trustProxy: vars.TRUST_PROXY,
    drainMs: (vars.DRAIN_SECONDS ?? (profile === 'production' ? 5 : 0)) * 1_000,
    logLevel: vars.LOG_LEVEL,
    introspection: vars.GRAPHQL_INTROSPECTION ?? profile === 'embedded',
    authKeys: (vars.AUTH_SECRET ?? [generated?.authSecret ?? '']).map(namedKey),
    encryptionKeys: (vars.ENCRYPTION_KEYS ?? [generated?.encryptionKey ?? '']).map(namedKey),
    rateLimits: vars.RATE_LIMITS,
    filesUrl: vars.FILES_URL ?? pathToFileURL(join(dataDir, 'files')).href,
    openai: {
      apiKey: vars.OPENAI_API_KEY ?? null,
      baseUrl: vars.OPENAI_BASE_URL ?? null,
      firstDeltaTimeoutMs: vars.UPSTREAM_TIMEOUTS[0],
      idleTimeoutMs: vars.UPSTREAM_TIMEOUTS[1],
      textTimeoutMs: vars.UPSTREAM_TIMEOUTS[2] ?? 300_000,
    },
  };
}

/** Both are required, because a Stripe key alone can neither sell a plan nor receive payment events. */
const missingBesideStripeKey = (given: Variables): string[] =>
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES']
    .filter((name) => !given[name])
    .map((name) => `${name}: is required beside STRIPE_SECRET_KEY; "node dist/service/main.js stripe-setup" makes it`);

/** Settings, each with the one without which it would be ignored. */
const dependent: readonly (readonly [string, string])[] = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'],
  ['TURNSTILE_SECRET_KEY', 'TURNSTILE_SITE_KEY'],
  ['SPEECH_API_KEY', 'SPEECH_BASE_URL'],
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
];

const settingsWithoutEffect = (given: Variables): string[] =>
  dependent
    .filter(([name, needed]) => given[name] && !given[needed])
    .map(([name, needed]) => `${name}: has no effect without ${needed}; set both or neither`);
