import { expect, test } from 'vitest';
import { decrypt, encrypt, namedKey } from '../../src/core/crypto.ts';

const keys = [namedKey('a secret of the test'), namedKey('an older secret')];

test('decrypts with the key that encrypted, and only in the same context', () => {
  const sealed = encrypt(keys, 'a bot token', 'integration 1');
  expect(decrypt(keys.toReversed(), sealed, 'integration 1').toString()).toBe('a bot token');
  expect(() => decrypt(keys, sealed, 'integration 2')).toThrow('authenticate');
  expect(() => decrypt(keys.slice(1), sealed, 'integration 1')).toThrow('no key');
});

test('does not decrypt with a changed or truncated tag', () => {
  const [keyId = '', iv = '', tag = '', text = ''] = encrypt(keys, 'a bot token', 'integration 1').split('.');
  const bytes = Buffer.from(tag, 'base64url');
  const forged = [bytes.subarray(0, 4), bytes.subarray(0, 12), Buffer.alloc(16), Buffer.concat([bytes, bytes])];
  for (const other of forged)
    expect(() => decrypt(keys, [keyId, iv, other.toString('base64url'), text].join('.'), 'integration 1')).toThrow();
});
