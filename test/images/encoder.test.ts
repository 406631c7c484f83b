import { crc32 } from 'node:zlib';
import pino from 'pino';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { createImageEncoder } from '../../src/images/encoding/encoder.ts';
import { picture } from '../support/images.ts';
import { limitsTime } from '../support/wall-clock.ts';

const open: { stop(): void }[] = [];
afterEach(() => open.splice(0).forEach((encoder) => encoder.stop()));

function encoder() {
  const created = createImageEncoder(pino({ level: 'silent' }));
  open.push(created);
  return created;
}

const request = (bytes: Uint8Array) =>
  ({
    read: async () => Buffer.from(bytes),
    kind: 'avatar',
    isGenerated: false,
  }) as const;

describe('the encoder', () => {
  test('decodes two pictures at a time, and reads each of the others only in its turn', async () => {
    const bytes = Buffer.from(await picture(200, 200));
    const created = encoder();
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const read = async () => {
      begun++;
      await gate.promise;
      return bytes;
    };
    const encoding = Array.from({ length: 6 }, () => created.encode({ read, kind: 'avatar', isGenerated: false }));
    await new Promise(setImmediate);
    expect(begun).toBe(2);
    gate.resolve();
    await Promise.all(encoding);
    expect(begun).toBe(6);
  });

  test('refuses a picture when 20 wait', async () => {
    const bytes = await picture(200, 200);
    const created = encoder();
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => created.encode(request(bytes))));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(refused).toEqual(['unavailable', 'unavailable']);
  });

  test('refuses a decompression bomb by its header', limitsTime, async () => {
    const bomb = Buffer.from(await picture(300, 300));
    // Width and height, and the checksum of the chunk that holds them.
    bomb.writeUInt32BE(16_000, 16);
    bomb.writeUInt32BE(16_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const startedAt = performance.now();
    await expect(encoder().encode(request(bomb))).rejects.toMatchObject({ code: 'too_large' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('encodes a picture although another one, decoded beside it, ended the process', async () => {
    const created = encoder();
    const bytes = await picture(3_000, 3_000, 'jpeg');
    const encoding = Promise.all([1, 2].map(() => created.encode(request(bytes))));
    // Both are sent once the process has started, which takes longer than queueing them.
    setTimeout(() => created.stop(), 20);
    const encoded = await encoding;
    const all = ['small', 'medium', 'large'];
    expect(encoded.map(({ variants }) => Object.keys(variants))).toEqual([all, all]);
  });

  test('encodes only the variant that is asked for', async () => {
    const encoded = await encoder().encode({ ...request(await picture(300, 300)), only: 'medium' });
    expect(Object.keys(encoded.variants)).toEqual(['medium']);
    expect(await sharp(encoded.variants.medium).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  });

  test('continues with the next picture after its process died', limitsTime, async () => {
    const bytes = await picture(300, 300);
    const created = encoder();
    const first = created.encode(request(await picture(3_000, 3_000, 'jpeg')));
    setTimeout(() => created.stop(), 50);
    await expect(first).rejects.toMatchObject({ code: 'unreadable' });
    expect((await created.encode(request(bytes))).variants.small).toBeInstanceOf(Uint8Array);
  });
});
