import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import { headBytes, type ImageFormat, imageFormatOf, imageMediaTypes } from '../../src/images/encoding/image-format.ts';
import { openOriginal } from '../../src/images/images.ts';
import type { Adapter } from '../routes/route.ts';

/** The image as the model generated it, as a download that a browser neither shows nor runs. */
export const imageOriginalAdapter: Adapter = {
  produces: ['image/png', 'image/jpeg', 'image/webp'].map((name) => ({ name, isBinary: true })),
  handle: async (request, reply, { route, parse, context }) => {
    const { id } = parse(request) as { id: string };
    const { image, content } = await openOriginal(context(request, reply), id);
    const format = (await formatOf(content)) ?? 'png';
    disconnectWhenStalled(reply.raw);
    return reply
      .code(route.status)
      .header('content-type', imageMediaTypes[format])
      .header('content-disposition', `attachment; filename="${image.id}.${format}"`)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(content);
  },
};

/** Detects the format from the first bytes, and puts them back into the stream. */
async function formatOf(content: Readable): Promise<ImageFormat | null> {
  if (content.readableLength < headBytes) await once(content, 'readable');
  const head = content.read(headBytes) as Buffer | null;
  if (head) content.unshift(head);
  return head && imageFormatOf(head);
}
