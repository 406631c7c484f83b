import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ak_';
const randomLength = 40;
const checksumLength = 6;
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/**
 * Creates a secret: `ak_`, 40 random base62 characters (238 bits) and a checksum of 6 characters, with which a mistyped
 * key is rejected without a query.
 */
export function newApiKeySecret(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return prefix + random + checksum(random);
}

/** Returns whether the text has the format of a key and a correct checksum. */
export const isApiKeySecret = (text: string): boolean =>
  form.test(text) && text.endsWith(checksum(text.slice(prefix.length, prefix.length + randomLength)));

/** Returns the part of a key that may be shown, such as `ak_Ab3d...wxyz`. */
export const hintOf = (secret: string): string => `${secret.slice(0, prefix.length + 4)}...${secret.slice(-4)}`;

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let i = 0; i < checksumLength; i++, rest = Math.floor(rest / alphabet.length)) {
    digits = (alphabet[rest % alphabet.length] ?? '') + digits;
  }
  return digits;
}
