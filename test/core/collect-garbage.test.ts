import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const source = `
  import { noteReceived } from './src/core/process/collect-garbage.ts';
  const chunkBytes = 65_536;
  const [, , mode] = process.argv;
  let maxBytes = 0;
  for (let chunk = 0; chunk < 1_000; chunk++) {
    const bytes = new ArrayBuffer(chunkBytes);
    if (mode === 'noted') noteReceived(bytes.byteLength);
    maxBytes = Math.max(maxBytes, process.memoryUsage().arrayBuffers);
  }
  console.log(maxBytes);`;

/** The most bytes outside of the heap while 64 MB are received in chunks. */
const maxBytes = (mode: string): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-', mode], { input: source, encoding: 'utf8' }));

test('memory of received chunks is freed while a body arrives', () => {
  expect(maxBytes('noted')).toBeLessThan(6 * 1_048_576);
  expect(maxBytes('unnoted')).toBeGreaterThan(12 * 1_048_576);
});
