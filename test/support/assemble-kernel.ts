import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openWabt from 'wabt';

const folder = join(import.meta.dirname, '../../src/providers/postgres-vectors');
const generated = join(folder, 'generated/int8-kernel.ts');

/** Assembles int8-kernel.wat into the TypeScript file that holds its bytes, and returns that file's text. */
export async function assembleKernel(): Promise<string> {
  const source = await readFile(join(folder, 'int8-kernel.wat'), 'utf8');
  const module = (await openWabt()).parseWat('int8-kernel.wat', source);
  const bytes = Buffer.from(module.toBinary({}).buffer);
  module.destroy();
  const lines = bytes.toString('base64').match(/.{1,100}/g) ?? [];
  return [
    '// Assembled from int8-kernel.wat by `npm run kernel`.',
    'export const int8KernelModule =',
    `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
    '',
  ].join('\n');
}

export const readKernel = (): Promise<string> => readFile(generated, 'utf8');

if (process.argv[1] === import.meta.filename) await writeFile(generated, await assembleKernel());
