import type { Plugin } from 'vite';

type Bundle = Record<string, { type: string; fileName: string; name?: string; imports?: string[] }>;

/** Pages generated from index.html, with the chunks whose scripts they preload. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'account.html': ['frame'],
  'chat.html': ['frame', 'conversation-page'],
};

/** Writes a page for signed-in screens that preloads their scripts, which saves two round trips. */
export const preload = (): Plugin => ({
  name: 'preload',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('There is no index.html to add scripts to.');
      for (const [fileName, names] of Object.entries(pages)) {
        const links = filesOf(names, bundle).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
        const source = String(index.source).replace('</head>', `  ${links.join('\n    ')}\n  </head>`);
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  },
});

/** Returns the scripts of the named chunks and their imports, without those that index.html loads. */
function filesOf(names: readonly string[], bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter(({ type, name }) => type === 'chunk' && names.includes(name ?? ''));
  if (chunks.length < names.length) throw new Error(`A chunk is missing: ${names.join(', ')}`);
  const files = new Set(chunks.map(({ fileName }) => fileName));
  for (const file of files) for (const imported of bundle[file]?.imports ?? []) files.add(imported);
  return [...files].filter((file) => !/assets\/(start|rolldown-runtime)-/.test(file));
}
