import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generatedFiles } from './generated-parts.ts';

// Writes the generated parts of the documentation; with --check, reports those that differ and exits with 1.
const root = resolve(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const read = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

for (const { path, write } of generatedFiles) {
  const text = write(read);
  if (text === read(path)) continue;
  if (isCheck) {
    process.stderr.write(`${path} is not up to date. Run "npm run emit".\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, path), text);
  }
}
