import { escapeHtml } from '../../accounts/mail/mail-templates.ts';

/** Metadata of a page for search engines and messengers. The texts are written by users. */
export interface PageHead {
  title: string;
  description: string;
  /** Canonical URL of the page. */
  url: string;
  /** An image that this service serves. */
  image: { url: string; isWide: boolean } | null;
  type: 'website' | 'profile' | 'article';
  isIndexable: boolean;
  isForAdults: boolean;
}

const product = 'Agent Chat';
const maxTitle = 120;
const maxDescription = 300;
/** Maximum length of a listing's text. */
const maxBody = 4_000;

/** Whitespace, control characters, and characters that change the text direction. */
const gaps = /[\p{Cc}\s\u202A-\u202E\u2066-\u2069]+/gu;

/** Returns a user's text on one line, truncated to a maximum number of characters. */
function oneLine(text: string, max: number): string {
  const characters = [...text.replace(gaps, ' ').trim()];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

type Content = [name: string, content: string];

/**
 * Returns the elements in the `head` of a page about one item, which replace the title and description of the console.
 */
function headElements({ url, image, type, isIndexable, isForAdults, ...texts }: PageHead): string {
  const title = oneLine(texts.title, maxTitle);
  const description = oneLine(texts.description, maxDescription);
  const names: Content[] = [['description', description]];
  if (!isIndexable) names.push(['robots', 'noindex']);
  if (isForAdults) names.push(['rating', 'adult']);
  names.push(['twitter:card', image?.isWide ? 'summary_large_image' : 'summary']);
  const properties: Content[] = [
    ['og:site_name', product],
    ['og:type', type],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
  ];
  if (image) properties.push(['og:image', image.url]);
  const meta = (attribute: string, [name, content]: Content): string =>
    `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
  return [
    ...names.map((one) => meta('name', one)),
    ...properties.map((one) => meta('property', one)),
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    `<title>${escapeHtml(`${title} · ${product}`)}</title>`,
  ].join('\n    ');
}

/** Returns the content of the page for readers without scripts. */
const bodyElements = ({ title, description }: PageHead): string =>
  `<main><h1>${escapeHtml(oneLine(title, maxTitle))}</h1><p>${escapeHtml(oneLine(description, maxBody))}</p></main> `;

/** The console's page as a template for pages about one item. */
export interface PageTemplate {
  /** The page without data of an item, as for every screen. */
  plain: string;
  fill(page: PageHead): string;
}

const replaced = /<meta name="description"[^>]*>\s*<title>[^<]*<\/title>|(?<=<noscript>)/;

/**
 * Creates a template from the console's page.
 * @throws Error when the page lacks a description followed by a title, or a noscript element
 */
export function pageTemplate(html: string): PageTemplate {
  const [start, middle, end, ...rest] = html.split(replaced);
  if (start === undefined || middle === undefined || end === undefined || rest.length > 0)
    throw new Error('The console’s page has no title, description and noscript element to fill.');
  return { plain: html, fill: (page) => start + headElements(page) + middle + bodyElements(page) + end };
}
