import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const text = /\.(html|js|css|svg|webmanifest|txt)$/;
/** Smaller files are not worth compressing, because the headers outweigh the gain. */
const minimumBytes = 500;

/** Writes a Brotli and a gzip file beside each text file of the build, so that serving costs no CPU. */
export const precompress = (): Plugin => {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(files.filter((file) => text.test(file)).map((file) => compress(join(folder, file))));
    },
  };
};

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < minimumBytes) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
