import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** A rendered guide. */
export interface GuidePage {
  /** Path below /docs/guide; empty for the index. */
  slug: string;
  title: string;
  html: string;
}

/** A heading of a guide and the text below it, as a unit of the search. */
export interface GuideSection {
  page: GuidePage;
  anchor: string;
  heading: string;
  text: string;
}

export interface Guide {
  pages: ReadonlyMap<string, GuidePage>;
  sections: readonly GuideSection[];
}

/** Path at which the guides are served. */
export const guidePath = '/docs/guide';

/** Pages outside docs/ that are also served. */
const rootPages: Readonly<Record<string, string>> = { 'README.md': 'readme', 'CHANGELOG.md': 'changelog' };
const servedElsewhere: Readonly<Record<string, string>> = { 'rest/openapi/events.md': '/docs/events' };

/**
 * Reads and renders all guides in the nearest parent folder of this module that has docs/. Returns an empty guide if
 * there is none.
 */
export async function loadGuide(): Promise<Guide> {
  const root = repositoryRoot();
  const files = root === null ? [] : guideFiles(root);
  const render = await markdownRenderer();
  const pages = new Map<string, GuidePage>();
  const sections: GuideSection[] = [];
  for (const file of files) {
    const markdown = withoutUnserved(readFileSync(join(root ?? '', file), 'utf8'));
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
    const page: GuidePage = { slug: slugOf(file) ?? '', title, html: render(file, markdown) };
    pages.set(page.slug, page);
    sections.push(...sectionsOf(page, markdown));
  }
  return { pages, sections };
}

/** Removes markers of generated parts, and pictures, which are not served. */
const withoutUnserved = (markdown: string): string =>
  markdown.replaceAll(/^<!-- [^\n]* -->\n?/gm, '').replaceAll(/^!\[[^\]\n]*\]\([^)\n]*\)\n*/gm, '');

/** Loads the renderer for Markdown files. Headings get anchors, and links lead to the served pages. */
export async function markdownRenderer(): Promise<(file: string, markdown: string) => string> {
  const { Marked, Parser } = await import('marked');
  return (file, markdown) =>
    new Marked({
      renderer: {
        heading({ tokens, depth, text }) {
          return `<h${depth} id="${anchorOf(text)}">${Parser.parseInline(tokens)}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          const target = targetOf(file, href);
          const label = Parser.parseInline(tokens);
          return target === null ? label : `<a href="${target}">${label}</a>`;
        },
      },
    }).parse(markdown, { async: false });
}

const repositoryRoot = (): string | null => {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'docs', 'README.md'))) return folder;
  return null;
};

const guideFiles = (root: string): string[] => [
  ...['docs', 'docs/adr'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `${folder}/${name}`),
  ),
  ...Object.keys(rootPages).filter((name) => existsSync(join(root, name))),
];

/** Returns the path of a file below /docs/guide, or null when it is not a guide. */
const slugOf = (file: string): string | null => {
  if (file in rootPages) return rootPages[file] ?? null;
  const [, name] = /^docs\/((?:adr\/)?[\w-]+)\.md$/.exec(file) ?? [];
  return name === undefined ? null : name.replace(/(^|\/)README$/, '');
};

/** Returns the URL of a link on a page, or null when its target is not served. */
const targetOf = (file: string, href: string): string | null => {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const to = posix.join(posix.dirname(file), path);
  const url = urlOf(to);
  return url === null ? null : `${url}${anchor === undefined ? '' : `#${anchor}`}`;
};

/** Returns the URL of a file, or null when it is not served. */
function urlOf(file: string): string | null {
  const slug = slugOf(file);
  if (slug === null) return servedElsewhere[file] ?? null;
  return slug === '' ? guidePath : `${guidePath}/${slug}`;
}

/** Returns the anchor of a heading, in the form that GitHub uses. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const sectionsOf = (page: GuidePage, markdown: string): GuideSection[] =>
  markdown
    .split(/^(?=#{1,6} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [first = '', ...rest] = part.split('\n');
      const heading = plain(first.replace(/^#+ /, ''));
      return { page, anchor: anchorOf(heading), heading, text: plain(rest.join('\n')) };
    });

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
    .replaceAll(/^\|[ :|-]+\|$/gm, '')
    .replaceAll(/[`*|]|^```.*$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
