import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentVariables, misspelledSettings, readConfig } from '../../src/app/config.ts';

test.each([
  ['WEBHOOK_RETRY_DELAYS', '10,999999999999', 'each must be at most 604800 (a week)'],
  ['UPSTREAM_TIMEOUTS', '60000,0', 'each must be from 1 to 3600000 (an hour)'],
  ['UPSTREAM_TIMEOUTS', '99999999999,60000', 'each must be from 1 to 3600000 (an hour)'],
])('%s=%s, with which nothing would work, fails the startup', (name, value, allowed) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${allowed}`);
});

test('startup says why secrets cannot be read, and advises to remove only those that are damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-secrets-'));
  const path = join(folder, 'secrets.json');
  writeFileSync(path, '{');
  expect(() => readConfig({ DATA_DIR: folder })).toThrow(`DATA_DIR: ${path} is damaged. Restore it, or remove it`);
  expect(() => readConfig({ DATA_DIR: path })).toThrow(/DATA_DIR: the secrets cannot be read \(ENOTDIR: [^)]+\)/);
  expect(() => readConfig({ DATA_DIR: path })).not.toThrow(/remove/);
  rmSync(folder, { recursive: true });
});

test.each([
  ['DATABASE_DIRECT_URL', 'DATABASE_URL', 'postgres://service@db.internal/service'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL', 'postgres://service@replica.internal/service'],
  ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY', '0x4AAA'],
  ['TURNSTILE_SECRET_KEY', 'TURNSTILE_SITE_KEY', '0x4AAA'],
  ['SPEECH_API_KEY', 'SPEECH_BASE_URL', 'https://speech.acme.net'],
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'https://models.acme.net'],
])('%s without %s, which would be ignored, fails the startup', (name, needed, value) => {
  const secrets = { AUTH_SECRET: 'a'.repeat(32), ENCRYPTION_KEYS: 'e'.repeat(32) };
  const fault = `${name}: has no effect without ${needed}; set both or neither`;
  expect(() => readConfig({ ...secrets, [name]: value })).toThrow(fault);
  expect(() => readConfig({ ...secrets, [name]: value, [needed]: '' })).toThrow(fault);
  expect(() => readConfig({ ...secrets, [name]: value, [needed]: value })).not.toThrow();
});

test('a variable that is written almost like a setting is named, and no other', () => {
  const env = { DATABSE_URL: 'x', DRAIN_SECOND: '1', LOGNAME: 'root', HOME: '/', NODE_PATH: '', SMTP_PORT: '25' };
  expect(misspelledSettings(env)).toEqual([
    'DATABSE_URL is not a setting and has no effect; DATABASE_URL is one',
    'DRAIN_SECOND is not a setting and has no effect; DRAIN_SECONDS is one',
  ]);
  expect(misspelledSettings(Object.fromEntries(environmentVariables.map((name) => [name, ''])))).toEqual([]);
});
