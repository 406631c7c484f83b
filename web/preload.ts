import type { Plugin } from 'vite';

interface Chunk {
  type: string;
  fileName: string;
  name?: string;
  imports?: string[];
  viteMetadata?: { importedCss: Set<string> };
}

type Bundle = Record<string, Chunk>;

/** Pages generated from index.html, with the chunks whose scripts and styles they load at once. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'account.html': ['frame'],
  'chat.html': ['frame', 'conversation-page'],
};

/**
 * Writes pages for signed-in screens that load their scripts and styles at once, which saves three round trips, and that
 * run early.ts before the other scripts are loaded.
 */
export const preload = (): Plugin => ({
  name: 'preload',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('There is no index.html to add scripts to.');
      const html = String(index.source);
      const [early = ''] = filesOf(['early'], bundle);
      // Async, because other scripts wait for the styles and for each other.
      const first = `<script type="module" async crossorigin src="/${early}"></script>`;
      for (const [fileName, names] of Object.entries(pages)) {
        const scripts = filesOf(names, bundle).filter((file) => file !== early && !html.includes(file));
        const styles = stylesOf(scripts, bundle).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
        const source = html
          .replace('<script type="module"', `${first}${newLine}$&`)
          .replace('</head>', `  ${[...scripts.map(preloadOf), ...styles].join(newLine)}\n  </head>`);
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  },
});

const newLine = '\n    ';
const preloadOf = (file: string): string => `<link rel="modulepreload" crossorigin href="/${file}">`;

/** Returns the scripts of the named chunks and their imports. */
function filesOf(names: readonly string[], bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter(({ type, name }) => type === 'chunk' && names.includes(name ?? ''));
  if (chunks.length < names.length) throw new Error(`A chunk is missing: ${names.join(', ')}`);
  const files = new Set(chunks.map(({ fileName }) => fileName));
  for (const file of files) for (const imported of bundle[file]?.imports ?? []) files.add(imported);
  return [...files];
}

/** Their styles, those of what a script imports before its own: a later rule counts more. */
function stylesOf(scripts: readonly string[], bundle: Bundle): string[] {
  const visited = new Set<string>();
  const stylesIn = (file: string): string[] => {
    if (!scripts.includes(file) || visited.has(file)) return [];
    visited.add(file);
    const { imports = [], viteMetadata } = bundle[file] ?? {};
    return [...imports.flatMap(stylesIn), ...(viteMetadata?.importedCss ?? [])];
  };
  return [...new Set(scripts.flatMap(stylesIn))];
}
