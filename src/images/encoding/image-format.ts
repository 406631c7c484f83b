export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

export const imageMediaTypes: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Number of bytes that `imageFormatOf` needs. */
export const headBytes = 12;

/** Returns the format of an image by its first bytes, regardless of its name; null for anything else, including SVG. */
export function imageFormatOf(head: Buffer): ImageFormat | null {
  const text = head.toString('latin1', 0, headBytes);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'webp';
  return /^GIF8[79]a/.test(text) ? 'gif' : null;
}
