import { z } from 'zod';
import { parseRateLimits } from '../http/rate-limit-table.ts';
import { flag, key, parsedBy, url } from './variables.ts';

/** Returns whether a path can be appended to the URL. */
const isBase = (value: string): boolean => {
  const { username, password, search, hash } = URL.parse(value) ?? {};
  return !username && !password && !search && !hash;
};
const isFileLocation = (value: string): boolean => {
  const { protocol, host } = URL.parse(value) ?? {};
  // URL reads file:/folder and file:folder as file:///folder, although the second one looks relative.
  return protocol === 's3:' ? Boolean(host) : !host && /^file:\/\/\//i.test(value.trim());
};
const timeouts = z
  .string()
  .regex(/^\d+,\d+(,\d+)?$/, 'must be two or three numbers of milliseconds such as 60000,60000,300000')
  .transform((value) => value.split(',').map(Number) as [number, number, number?])
  .refine((given) => given.every((ms = 1) => ms >= 1 && ms <= 3_600_000), 'each must be from 1 to 3600000 (an hour)');
export const minSecretCharacters = 32;

const secretList = z
  .string()
  .transform((value) => value.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= minSecretCharacters), {
    message: `each secret must have at least ${minSecretCharacters} characters`,
  });

/** Environment variables of core: their formats and, where one value suits all profiles, their defaults. */
export const environment = {
  NODE_ENV: z.string().optional(),
  PROFILE: z.enum(['embedded', 'production']).optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: url('http:', 'https:').refine(isBase, 'must have no credentials, query or fragment').optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_REPLICA_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(4).max(200).optional(),
  DATABASE_WAIT_MS: z.coerce.number().int().min(100).max(30_000).default(2_000),
  // Not parsed with URL: a MongoDB connection string can list several hosts of a replica set.
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
  RATE_LIMITS: parsedBy(parseRateLimits),
  FILES_URL: url('file:', 's3:')
    .refine(isFileLocation, 'must be file:///folder with three slashes, or s3://bucket/prefix')
    .optional(),
  OPENAI_API_KEY: key.optional(),
  OPENAI_BASE_URL: url('http:', 'https:').optional(),
  UPSTREAM_TIMEOUTS: timeouts.default([60_000, 60_000]),
};

/** Parsed environment of core. */
export type Environment = z.output<z.ZodObject<typeof environment>>;
