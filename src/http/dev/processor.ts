import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';

/** Handles a browser request to the payment simulator. `path` is the part after `/dev/processor`. */
export type ProcessorPage = (request: {
  method: 'GET' | 'POST';
  path: string;
  form: Record<string, unknown>;
}) => Promise<{ status: number; headers: Record<string, string>; body: string | Buffer }>;

/** Registers /dev/processor/…, the pages of the payment simulator. They accept forms and JSON. */
export async function registerDevProcessor(app: FastifyInstance, page: ProcessorPage): Promise<void> {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
        try {
          done(null, formOf(request.headers['content-type'] ?? '', String(body)));
        } catch {
          done(new AppError('invalid_request', { message: 'The body is not valid JSON.' }));
        }
      });
      scope.route({
        method: ['GET', 'POST'],
        url: '/*',
        handler: async (request, reply) => {
          const answer = await page({
            method: request.method === 'POST' ? 'POST' : 'GET',
            path: `/${(request.params as { '*': string })['*']}`,
            form: (request.body ?? {}) as Record<string, unknown>,
          });
          return reply.code(answer.status).headers(answer.headers).send(answer.body);
        },
      });
    },
    { prefix: '/dev/processor' },
  );
}

function formOf(contentType: string, text: string): Record<string, unknown> {
  if (text === '') return {};
  if (!contentType.includes('json')) return Object.fromEntries(new URLSearchParams(text));
  const body: unknown = JSON.parse(text);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
