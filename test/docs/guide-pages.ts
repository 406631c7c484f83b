import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Returns the text of a file relative to the repository's root. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface CodeBlock {
  language: string;
  /** What tests do with it, the word behind the language. */
  purpose: string;
  code: string;
}

export interface GuidePage {
  /** Relative to the repository's root. */
  path: string;
  text: string;
  blocks: CodeBlock[];
}

const blocksOf = (text: string): CodeBlock[] =>
  [...text.matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', purpose = '', code = '']) => ({
    language,
    purpose,
    code,
  }));

const page = (path: string): GuidePage => {
  const text = read(path);
  return { path, text, blocks: blocksOf(text) };
};

export const readme = page('README.md');

const inFolder = (folder: string): GuidePage[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => page(`${folder}/${name}`));

/** The guides, one page a topic. */
export const guides: readonly GuidePage[] = inFolder('docs');

/** Every page that a person reads to use, run or change the service. */
export const allPages: readonly GuidePage[] = [
  readme,
  ...guides,
  ...inFolder('docs/adr'),
  ...['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(page),
];

/** Returns a guide. @throws Error when there is none of this name */
export function guide(name: string): GuidePage {
  const found = guides.find(({ path }) => path === `docs/${name}.md`);
  if (!found) throw new Error(`There is no docs/${name}.md.`);
  return found;
}

/** Returns what a heading of a page stands above, up to the next heading of the same or a higher level. */
export function section({ text }: GuidePage, title: string): string {
  const start = new RegExp(`^(#+) ${title}$`, 'm').exec(text);
  if (!start) return '';
  const rest = text.slice(start.index + start[0].length);
  const end = rest.search(new RegExp(`^#{1,${start[1]?.length ?? 1}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
}
