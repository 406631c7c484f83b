export interface Catalog {
  /** Markdown. */
  intro: string;
  entries: readonly CatalogEntry[];
}

interface CatalogEntry {
  type: string;
  /** When it is sent, as Markdown. */
  when: string;
  /** Its data and an example, as Markdown. */
  text: string;
}

const row = /^\| \[`([\w.]+)`\]\(#[^)]*\) \| (.*) \|$/gm;

/** Reads the document at /docs/events: an introduction, a table of types, and a section for each type. */
export function readCatalog(markdown: string): Catalog {
  const [head = '', ...sections] = markdown.split(/^## /m);
  const whenOf = new Map(Array.from(head.matchAll(row), ([, type, when]) => [type, when]));
  // The page has its own title, and the note about how the document is generated is for developers of the service.
  const intro = head
    .replace(/^# .*\n/, '')
    .replace(/^\s*Generated from .*\n/, '')
    .replace(/^\|.*\n?/gm, '');
  return {
    intro: intro.trim(),
    entries: sections.map((section) => {
      const [type = '', ...lines] = section.split('\n');
      return { type: type.trim(), when: whenOf.get(type.trim()) ?? '', text: lines.join('\n').trim() };
    }),
  };
}
