import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guide, read, root } from './guide-pages.ts';

/** A port of a provider that bills its calls, without the fields that call nothing. */
const port =
  /\b(?:languageModel|embedder|imageGenerator|transcriber|contentCheck)\b(?!\.(?:space|batchSize|failures)\b)|\bports\.speech\b|\{ speech \}/;
/** Modules whose functions call such a port for others. */
const wrappers = [
  'src/conversations/prompt/complete-text.ts',
  'src/conversations/replies/stream-reply.ts',
  'src/conversations/replies/write-reply.ts',
  'src/images/remote/fetch-picture.ts',
  'src/knowledge/processing/embed-chunks.ts',
  'src/knowledge/retrieval/retrieve.ts',
  'src/moderation/check-content.ts',
  'src/moderation/require-allowed.ts',
  'src/voice/speech.ts',
  'src/voice/transcription.ts',
];
const importOf = /^import ([^;]+?) from '([^']+)';/gm;

const files = globSync(['src/**/*.ts', 'schema/*.ts', 'rest/**/*.ts', 'jobs/*.ts'], { cwd: root }).filter(
  (file) => !/^src\/(?:providers|simulators|app)\/|\.(?:ports|worker)\.ts$/.test(file),
);

/** Returns whether a file calls a model, itself or through a function of a wrapper. */
function isCall(file: string): boolean {
  const text = read(file);
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replaceAll(/^import [^;]+;/gm, '');
  if (port.test(code)) return true;
  return [...text.matchAll(importOf)].some(([, names = '', from = '']) => {
    const wrapper = join(file, '..', from);
    return wrappers.includes(wrapper) && (names.match(/\w+/g) ?? []).some((name) => isFunction(wrapper, name));
  });
}

const isFunction = (file: string, name: string): boolean =>
  new RegExp(`^export (?:async )?(?:function\\*? ${name}\\b|const ${name} = (?:async )?[(<])`, 'm').test(read(file));

const listed = [...guide('limits').text.matchAll(/^\| [^|]+ \| (`[^|]+`) \| [^|]+ \| ([^|]+) \|$/gm)]
  .filter(([, names = '']) => /^`[\w/.-]+\.ts`(?:, `[\w/.-]+\.ts`)*$/.test(names))
  .flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)));

describe('the table of model calls in docs/limits.md', () => {
  test('lists every file that calls a model, and no other', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter(isCall).toSorted()).toEqual(listed.toSorted());
  });

  test('names wrappers that exist and call a model themselves', () => {
    expect(wrappers.filter((file) => !isCall(file))).toEqual([]);
  });
});
