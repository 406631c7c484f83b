import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import { openCasePicture } from '../../src/images/case-picture.ts';
import { imageHeaders } from '../../src/images/public-image.ts';
import type { Adapter } from '../routes/route.ts';

/** The picture of a moderation case. Only moderators may read it, so no cache may store it. */
export const casePictureAdapter: Adapter = {
  produces: [{ name: 'image/webp', isBinary: true }],
  handle: async (request, reply, { route, parse, context }) => {
    const args = parse(request) as { subject_type: string; subject_id: string };
    const content = await openCasePicture(context(request, reply), args.subject_type, args.subject_id);
    disconnectWhenStalled(reply.raw);
    return reply.code(route.status).headers(imageHeaders).header('cache-control', 'private, no-store').send(content);
  },
};
