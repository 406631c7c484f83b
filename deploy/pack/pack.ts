import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { packedPackages } from './packages.ts';

const root = resolve(import.meta.dirname, '../..');

const bundled = packedPackages.flatMap(({ name, entries = [] }) =>
  entries.map((entry) => ({ name, entry, file: join(name, entry === '.' ? 'index' : entry) })),
);

/** Bundles the used parts of the largest packages into `target`, where Node looks before the service's own `node_modules`. */
export async function packPackages(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: target,
      target: 'node24',
      minify: false,
      license: { fileName: '.shared/licenses.md' },
      rolldownOptions: {
        input: Object.fromEntries(bundled.map(({ name, entry, file }) => [file, join(name, entry)])),
        // Two copies of GraphQL in a process reject each other's types.
        external: ['graphql'],
        output: { entryFileNames: '[name].js', chunkFileNames: '.shared/[name]-[hash].js' },
      },
    },
  });
  for (const { name, entries, files = [] } of packedPackages) {
    const source = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const exports =
      entries && Object.fromEntries(entries.map((entry) => [entry, entry === '.' ? './index.js' : `${entry}.js`]));
    await mkdir(join(target, name), { recursive: true });
    await writeFile(
      join(target, name, 'package.json'),
      `${JSON.stringify({ name, version, license, type: 'module', exports }, null, 2)}\n`,
    );
    for (const file of files) {
      await mkdir(dirname(join(target, name, file)), { recursive: true });
      await cp(join(source, file), join(target, name, file), { recursive: true });
    }
    if (files.length > 0) await cp(join(source, 'LICENSE'), join(target, name, 'LICENSE'));
  }
}

if (import.meta.main) await packPackages(resolve(process.argv[2] ?? join(root, 'dist/node_modules')));
