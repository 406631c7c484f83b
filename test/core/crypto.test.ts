import { expect, test } from 'vitest';
import { decrypt, encrypt, namedKey } from '../../src/core/crypto.ts';

const keys = [namedKey('a secret of the test'), namedKey('an older secret')];

test('what was encrypted is read with whichever key made it, in its own place only', () => {
  const sealed = encrypt(keys, 'a bot token', 'integration 1');
  expect(decrypt(keys.toReversed(), sealed, 'integration 1').toString()).toBe('a bot token');
  expect(() => decrypt(keys, sealed, 'integration 2')).toThrow('authenticate');
  expect(() => decrypt(keys.slice(1), sealed, 'integration 1')).toThrow('no key');
});

test('a tag that was changed or cut does not decrypt', () => {
  const [keyId = '', iv = '', tag = '', text = ''] = encrypt(keys, 'a bot token', 'integration 1').split('.');
  const bytes = Buffer.from(tag, 'base64url');
  const forged = [bytes.subarray(0, 4), bytes.subarray(0, 12), Buffer.alloc(16), Buffer.concat([bytes, bytes])];
  for (const other of forged)
    expect(() => decrypt(keys, [keyId, iv, other.toString('base64url'), text].join('.'), 'integration 1')).toThrow();
});
