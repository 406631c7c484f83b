import type { Config } from '../core/config/config.ts';
import { invalidField } from '../core/errors.ts';

/**
 * HTML that loads a resource. Clients show HTML as text; rejecting it protects readers of a client that renders it,
 * because loading would disclose them to another host.
 */
const loads =
  /<\s*(?:img|image|picture|source|video|audio|track|iframe|frame|object|embed|svg|link|style|input|body|table)\b/i;

/**
 * Rejects Markdown images of other hosts, because those hosts would learn who reads the text. Accepts only the plain
 * form, because renderers differ in which other forms they treat as an image.
 * @throws AppError `invalid_request`
 */
export function requireOwnImages({ publicUrl }: Config, about: string): void {
  const own = new RegExp(
    `^!\\[[^\\[\\]\\\\\`<]*\\]\\(${escape(publicUrl)}/images/[\\w-]{22}/(?:small|medium|large)\\.webp\\)`,
  );
  for (let at = about.indexOf('!['); at !== -1; at = about.indexOf('![', at + 1)) {
    if (!own.test(about.slice(at, at + 2_500))) throw foreignImage();
  }
  if (loads.test(about)) throw foreignImage();
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const foreignImage = () =>
  invalidField(
    'about',
    'foreign_image',
    'about may only contain images of this service, written as ![text](address) with an address of one of its images.',
  );
