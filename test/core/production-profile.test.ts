import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/core/config/read-settings.ts';
import { readConfig } from '../../src/app/config.ts';
import { productionEnv } from '../support/production.ts';

const faultsOf = (env: Record<string, string | undefined>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

/** Without it a key of speech has no effect. */
const speech = { SPEECH_BASE_URL: 'https://speech.acme.net' };

describe('the production profile', () => {
  test('starts with all required settings, and embeds, simulates and opens nothing by default', () => {
    const config = readConfig(productionEnv());
    expect(config).toMatchObject({ profile: 'production', host: '0.0.0.0', introspection: false });
    expect(config.platforms.simulated).toBe(false);
    expect(config.webhooks.allowPrivate).toBe(false);
  });

  test('is the default with NODE_ENV=production, unless PROFILE is set', () => {
    expect(faultsOf({ NODE_ENV: 'production' }).length).toBeGreaterThan(5);
    expect(readConfig({ ...productionEnv(), NODE_ENV: 'production', PROFILE: 'embedded' }).profile).toBe('embedded');
  });

  const required = [
    'DATABASE_URL',
    'AUTH_SECRET',
    'ENCRYPTION_KEYS',
    'PUBLIC_URL',
    'OPENAI_API_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'STRIPE_PRICES',
    'SMTP_URL',
    'FILES_URL',
  ];
  test.each(required)('refuses to start without %s, or with an empty one, and says what it takes', (name) => {
    for (const value of [undefined, '']) {
      const faults = faultsOf({ ...productionEnv(), [name]: value });
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: is required .{20}`))]);
    }
  });

  test.each([
    ['AUTH_SECRET', 'too-short'],
    ['AUTH_SECRET', 'a'.repeat(64)],
    ['AUTH_SECRET', 'abc123xyz!'.repeat(4)],
    ['AUTH_SECRET', 'changeme-changeme-changeme-4f8Q2mZx'],
    ['AUTH_SECRET', 'the-very-secret-secret-of-this-service'],
    ['AUTH_SECRET', '0123456789abcdef0123456789abcdef'],
    ['AUTH_SECRET', `${randomBytes(32).toString('base64')},${'b'.repeat(40)}`],
    ['ENCRYPTION_KEYS', 'a'.repeat(64)],
    ['ENCRYPTION_KEYS', `${randomBytes(32).toString('base64')},short`],
    ['OPENAI_API_KEY', 'simulator'],
    ['OPENAI_API_KEY', 'sk-...'],
    ['STRIPE_SECRET_KEY', 'sk_test_simulator'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_replace_me'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1'],
    ['STRIPE_WEBHOOK_SECRET', `whsec_${'a'.repeat(32)}`],
    ['PINECONE_API_KEY', 'your-api-key'],
    ['SPEECH_API_KEY', 'simulator'],
    ['SLACK_SIGNING_SECRET', 'a'.repeat(32)],
    ['SLACK_SIGNING_SECRET', 'replace-me-with-the-secret'],
    ['DATABASE_URL', 'postgres://postgres:postgres@db.internal:5432/service'],
    ['DATABASE_URL', 'postgres://user:password@host:5432/database'],
    ['DATABASE_URL', 'postgres://service:%70ostgres@db.internal:5432/service'],
    ['DATABASE_URL', 'postgres://service@db.internal/service?sslmode=require&password=postgres'],
    ['DATABASE_URL', 'postgres://service:another@db.internal:5432/service'],
    ['MONGODB_URL', 'mongodb://jobs:changeme@one.internal:27017,two.internal:27017/agenda'],
    ['SMTP_URL', 'smtps://mailer:12345678@mail.acme.net'],
    ['PUBLIC_URL', 'http://chat.acme.net'],
    ['PUBLIC_URL', 'HTTP://chat.acme.net'],
    ['PUBLIC_URL', 'https://ada:pass@chat.acme.net'],
    ['PUBLIC_URL', 'https://chat.acme.net/?from=mail'],
    ['FILES_URL', 'file://files/chat'],
    ['FILES_URL', 's3:///chat'],
    ['FILES_URL', 'file:/files'],
    ['FILES_URL', 'file:files'],
    ['CHAT_PLATFORMS', 'simulated'],
  ])('refuses %s=%s in one line that does not repeat the value', (name, value) => {
    const faults = faultsOf({ ...productionEnv(), ...speech, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: `));
    if (/SECRET|KEY/.test(name)) expect(faults[0]).not.toContain(value);
  });

  test.each(['OPENAI_API_KEY', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'PINECONE_API_KEY', 'SPEECH_API_KEY'])(
    'refuses %s with a trailing line break, which no header may contain',
    (name) => {
      const faults = faultsOf({ ...productionEnv(), ...speech, [name]: `${randomBytes(24).toString('base64')}\n` });
      expect(faults).toEqual([`${name}: must be visible ASCII characters without spaces`]);
    },
  );

  test('accepts URLs without a password, and several MongoDB hosts', () => {
    const MONGODB_URL = 'mongodb://jobs:tq8Zr2Lm@one.internal:27017,two.internal:27017/agenda?replicaSet=rs0';
    expect(readConfig({ ...productionEnv(), MONGODB_URL }).mongodbUrl).toBe(MONGODB_URL);
    const DATABASE_URL = 'postgres://service@db.internal/service?sslmode=verify-full';
    expect(readConfig({ ...productionEnv(), DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  });

  test('refuses one secret for two purposes', () => {
    const shared = randomBytes(32).toString('base64');
    const faults = faultsOf({ ...productionEnv(), AUTH_SECRET: shared, ENCRYPTION_KEYS: shared });
    expect(faults).toEqual([expect.stringMatching(/^ENCRYPTION_KEYS: .*AUTH_SECRET/)]);
  });

  test('accepts secrets from any random source', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (let round = 0; round < 200; round++)
        expect(faultsOf({ ...productionEnv(), AUTH_SECRET: randomBytes(24).toString(encoding) })).toEqual([]);
    for (let round = 0; round < 200; round++) {
      const SLACK_SIGNING_SECRET = randomBytes(16).toString('hex');
      expect(faultsOf({ ...productionEnv(), SLACK_SIGNING_SECRET })).toEqual([]);
    }
  });

  test('reports all faults together, whatever their kind', () => {
    const faults = faultsOf({ NODE_ENV: 'production', PORT: 'abc', RATE_LIMITS: '{"free":0}', AUTH_SECRET: 'short' });
    const named = new Set(faults.map((fault) => fault.split(':')[0]));
    for (const name of ['PORT', 'RATE_LIMITS', 'AUTH_SECRET', 'DATABASE_URL', 'SMTP_URL'])
      expect(named).toContain(name);
  });

  test('generates no secrets under DATA_DIR', () => {
    const dataDir = join(tmpdir(), `acs-production-${randomBytes(6).toString('hex')}`);
    readConfig({ ...productionEnv(), DATA_DIR: dataDir });
    expect(faultsOf({ PROFILE: 'production', DATA_DIR: dataDir }).length).toBeGreaterThan(0);
    expect(existsSync(dataDir)).toBe(false);
  });
});
