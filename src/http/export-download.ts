import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openDataExport } from '../accounts/data-export/data-exports.ts';
import type { Actor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { disconnectWhenStalled } from '../core/http/backpressure.ts';
import { FileMissing } from '../core/files.ports.ts';

interface DownloadOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  /** Counts the request. @throws AppError `rate_limited` */
  admit: (request: FastifyRequest, reply: FastifyReply, actor: Actor) => Promise<void>;
}

/** Registers GET /exports/:id?token=…, the download link of a data export. The signed token is the credential. */
export function registerExportDownload(app: FastifyInstance, { newCtx, admit }: DownloadOptions): void {
  app.get<{ Params: { id: string }; Querystring: { token?: unknown } }>(
    '/exports/:id',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const actor: Actor = { kind: 'anonymous', ip: request.ip };
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      await admit(request, reply, actor);
      const { token } = request.query;
      const ctx = newCtx(actor, request.id);
      const { key, sizeBytes } = await openDataExport(ctx, request.params.id, typeof token === 'string' ? token : '');
      const content = await ctx.ports.files.get(key).catch((error: unknown) => {
        throw error instanceof FileMissing ? new AppError('not_found', { cause: error }) : error;
      });
      disconnectWhenStalled(reply.raw);
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${request.params.id}.zip"`,
          'content-length': sizeBytes,
        })
        .send(content);
    },
  );
}
