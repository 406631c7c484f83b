export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif';

export const imageMediaTypes: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Bytes that `imageFormatOf` needs. */
export const headBytes = 12;

/** The format of an image by its first bytes, whatever it is called; null for anything else, SVG included. */
export function imageFormatOf(head: Buffer): ImageFormat | null {
  const text = head.toString('latin1', 0, headBytes);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF') && text.slice(8) === 'WEBP') return 'webp';
  return /^GIF8[79]a/.test(text) ? 'gif' : null;
}
