import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bannedInText } from './banned-words.ts';

// Reports banned words in documentation and configuration; the linter reports those in code. Code blocks are not prose.
const root = resolve(import.meta.dirname, '../..');
const texts = [
  '*.md',
  '{docs,.github,test,deploy}/**/*.{md,yaml,yml,sh}',
  'Dockerfile',
  'compose.yaml',
  'deploy/Caddyfile',
];
/** Generated files. */
const written = /reference\.md$/;

for (const path of globSync(texts, { cwd: root })) {
  if (written.test(path)) continue;
  const lines = readFileSync(`${root}/${path}`, 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n');
  for (const [index, line] of lines.entries()) {
    for (const message of bannedInText(line.replaceAll(/`[^`]*`/g, ''))) {
      process.stderr.write(`${path}:${index + 1}: ${message}\n`);
      process.exitCode = 1;
    }
  }
}
