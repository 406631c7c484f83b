import sharp, { type FormatEnum } from 'sharp';
import type { TestApp } from './app.ts';
import type { Answer } from './client.ts';
import { eventually } from './eventually.ts';

/** Generates a picture with soft noise, which compresses like a photo. */
export const picture = async (
  width: number,
  height: number,
  format: keyof FormatEnum = 'png',
): Promise<Uint8Array<ArrayBuffer>> => {
  const noise = { type: 'gaussian', mean: 140, sigma: 25 } as const;
  const create = { width, height, channels: 3, background: '#7a9', noise } as const;
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer());
};

export function imageForm(content: Uint8Array<ArrayBuffer> | string, fields: object = { kind: 'avatar' }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([content]), 'picture.png');
  return form;
}

export const uploadImage = (
  app: TestApp,
  as: string,
  content: Uint8Array<ArrayBuffer> | string,
  fields?: object,
): Promise<Answer> => app.call('POST', '/v1/images/uploads', { as, body: imageForm(content, fields) });

/** Waits until the image is ready or has failed. */
export const madeImage = (app: TestApp, as: string, id: string): Promise<Answer['body']> =>
  eventually(
    async () => {
      const { body } = await app.call('GET', `/v1/images/${id}`, { as });
      return body.status === 'processing' ? null : body;
    },
    { what: 'the end of making an image' },
  );

/** Returns the path and query of a public URL, without its host. */
export const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

export const fetchImage = async (app: TestApp, url: string): Promise<Buffer> =>
  Buffer.from(await (await app.send('GET', pathOf(url))).arrayBuffer());
