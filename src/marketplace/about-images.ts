import type { Config } from '../core/config/config.ts';
import { invalidField } from '../core/errors.ts';

/** HTML that loads something. Clients show HTML as text; this keeps one that does not from telling another host who reads. */
const loads =
  /<\s*(?:img|image|picture|source|video|audio|track|iframe|frame|object|embed|svg|link|style|input|body|table)\b/i;

/**
 * Refuses images of other hosts in Markdown: their host would learn who reads it. Only the plain form is accepted, because
 * renderers differ in what else they take for an image.
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
