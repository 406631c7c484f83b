import { escapeHtml } from '../accounts/mail/mail-templates.ts';

/** What search engines and messengers read of a page. The texts are those of users. */
export interface PageHead {
  title: string;
  description: string;
  /** The one address of the page. */
  url: string;
  /** A picture of this service. */
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

/** Spaces, control characters, and those that turn the direction of the text after them. */
const gaps = /[\p{Cc}\s\u202A-\u202E\u2066-\u2069]+/gu;

/** Returns a user's text on one line, truncated to a maximum number of characters. */
function oneLine(text: string, max: number): string {
  const characters = [...text.replace(gaps, ' ').trim()];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

type Content = [name: string, content: string];

/** The elements that a page about one thing has in its `head`, in place of the title and description of the console. */
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

/** The content of the page for readers without scripts. */
const bodyElements = ({ title, description }: PageHead): string =>
  `<main><h1>${escapeHtml(oneLine(title, maxTitle))}</h1><p>${escapeHtml(oneLine(description, maxBody))}</p></main> `;

/** The console's page, with a place for the elements of one thing. */
export interface PageTemplate {
  /** As it is for every screen. */
  plain: string;
  fill(page: PageHead): string;
}

const replaced = /<meta name="description"[^>]*>\s*<title>[^<]*<\/title>|(?<=<noscript>)/;

/** @throws Error for a page that lacks a description followed by a title, or a text for readers without scripts */
export function pageTemplate(html: string): PageTemplate {
  const [start, middle, end, ...rest] = html.split(replaced);
  if (start === undefined || middle === undefined || end === undefined || rest.length > 0)
    throw new Error('The console’s page has no title, description and noscript element to fill.');
  return { plain: html, fill: (page) => start + headElements(page) + middle + bodyElements(page) + end };
}
