import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { generatedFiles } from './generated-parts.ts';
import { statementFiles } from './statement-files.ts';

// Writes the generated parts of the documentation; with --check, reports those that differ and exits with 1.
const root = resolve(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const read = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

for (const { path, write } of [...generatedFiles, ...statementFiles(root)]) {
  const text = write(read);
  if (text === read(path)) continue;
  if (isCheck) {
    process.stderr.write(`${path} is not up to date. Run "npm run emit".\n`);
    process.exitCode = 1;
  } else if (text === '') {
    rmSync(join(root, path));
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
