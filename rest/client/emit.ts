import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type OpenApiDocument, operationsOf } from './openapi-operations.ts';
import { printClient, printIndex, printVocabulary } from './print-client.ts';
import { printTypes } from './print-types.ts';

/**
 * `npm run client [-- FOLDER]`: generates the REST client from rest/openapi.json and rest/client/runtime, as a package
 * without dependencies, with TypeScript in `src` and the compiled modules beside it.
 */
const { positionals } = parseArgs({ allowPositionals: true, options: {} });
const folder = resolve(positionals[0] ?? 'dist/client');
const here = import.meta.dirname;
const document = JSON.parse(await readFile(join(here, '../openapi.json'), 'utf8')) as OpenApiDocument;
const operations = operationsOf(document);

const packageJson = {
  name: 'agent-chat-client',
  version: `${document.info.version}.0.0`,
  description: `Client of the ${document.info.title}.`,
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};

await clear(folder);

const sources: Record<string, string> = {
  'types.ts': await printTypes(document, operations),
  'client.ts': printClient(operations),
  'vocabulary.ts': printVocabulary(document),
  'index.ts': printIndex(),
};

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: 'src',
    outDir: '.',
  },
  include: ['src'],
  exclude: [],
};

await mkdir(folder, { recursive: true });
await cp(join(here, 'runtime'), join(folder, 'src'), { recursive: true });
for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, 'src', name), text);
await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
await writeFile(join(folder, 'tsconfig.json'), `${JSON.stringify(tsconfig, null, 2)}\n`);
const tsc = join(here, '../../node_modules/typescript/bin/tsc');
await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => {
  const { stdout } = error as { stdout: string };
  throw new Error(`The emitted client does not compile.\n${stdout}`, { cause: error });
});
console.log(`Wrote the client of ${operations.length} operations to ${folder}`);

/** Removes what was emitted before, and nothing else. */
async function clear(path: string): Promise<void> {
  const found = await readdir(path).catch(() => []);
  if (found.length === 0) return;
  const before = await readFile(join(path, 'package.json'), 'utf8').catch(() => '{}');
  if ((JSON.parse(before) as { name?: string }).name !== packageJson.name)
    throw new Error(`${path} holds something else. Name a folder that is empty, or was made by this command.`);
  await rm(path, { recursive: true });
}
