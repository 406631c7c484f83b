import { errorTable } from '../../src/core/errors.ts';

/** A generated file, or a file with a generated part. */
export interface GeneratedFile {
  /** Relative to the repository's root. */
  path: string;
  /** Returns the file's new text. `read` returns the current text of a file. */
  write: (read: (path: string) => string) => string;
}

/** Every generated file of the documentation. */
export const generatedFiles: readonly GeneratedFile[] = [
  {
    path: 'docs/api.md',
    write: (read) => {
      const withErrors = withPart(read('docs/api.md'), 'errors', errorRows());
      return withPart(withErrors, 'routes', routeRows(JSON.parse(read('rest/openapi.json')) as OpenApi));
    },
  },
  { path: '.env.example', write: (read) => environmentExample(read('docs/configuration.md')) },
];

/** Replaces the text between `<!-- name: … -->` and `<!-- end -->`. @throws Error when there is no such part */
export function withPart(page: string, name: string, lines: readonly string[]): string {
  const part = new RegExp(`(<!-- ${name}: [^\\n]* -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!part.test(page)) throw new Error(`There is no generated part "${name}".`);
  return page.replace(part, (_match, start: string, end: string) => `${start}${lines.join('\n')}\n${end}`);
}

const errorRows = (): string[] => [
  '| code | status | message |',
  '| --- | --- | --- |',
  ...Object.entries(errorTable).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
];

interface OpenApi {
  paths: Record<string, Record<string, { tags?: [string]; summary?: string }>>;
}

/** Returns a table of routes for each tag of the OpenAPI document. */
const routeRows = ({ paths }: OpenApi): string[] => {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags, summary }]) =>
      tags ? [{ tag: tags[0], row: `| ${method.toUpperCase()} | \`${withColons(path)}\` | ${summary ?? ''} |` }] : [],
    ),
  );
  return [...new Set(rows.map(({ tag }) => tag))].flatMap((tag, index) => [
    ...(index === 0 ? [] : ['']),
    `### ${tag}`,
    '',
    '| method | path | operation |',
    '| --- | --- | --- |',
    ...rows.filter((row) => row.tag === tag).map(({ row }) => row),
  ]);
};

const withColons = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

interface Variable {
  names: string[];
  meaning: string;
  fallback: string;
}

/** Returns the rows of the tables of variables. */
export const variablesOf = (page: string): Variable[] =>
  [...page.matchAll(/^\| (`[A-Z][A-Z_]+`[^|]*) \| ([^|]*) \| ([^|]*)\|$/gm)].map(
    ([, cell = '', meaning = '', fallback = '']) => ({
      names: [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
      meaning: plain(meaning),
      fallback: plain(fallback),
    }),
  );

const plain = (cell: string): string =>
  cell
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .trim();

/** Returns .env.example: every variable, commented out, below its meaning and default. */
export const environmentExample = (page: string): string =>
  [
    '# Generated from docs/configuration.md by `npm run emit`. Every setting is optional in the embedded profile.',
    '# Copy it to .env, set what you need, and start with: set -a; . ./.env; set +a; npm start',
    ...variablesOf(page).flatMap(({ names, meaning, fallback }) => [
      '',
      `# ${meaning}`,
      ...(fallback === '' ? [] : [`# Default: ${fallback}`]),
      ...names.map((name) => `# ${name}=`),
    ]),
    '',
  ].join('\n');
