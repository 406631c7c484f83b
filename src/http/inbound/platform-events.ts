import type { FastifyInstance } from 'fastify';
import type { Ctx } from '../../core/ctx.ts';
import { receivePlatformCall } from '../../integrations/platform-calls.ts';
import { sendError } from '../../../rest/errors.ts';
import { refuseOtherMethods } from '../other-methods.ts';

const bodyLimitBytes = 1_048_576;

/**
 * Registers POST /platforms/chat_workspace/events: calls of the platform. Their credential is a signature of the raw
 * body.
 */
export async function registerPlatformEvents(app: FastifyInstance, newCtx: (requestId: string) => Ctx): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(sendError);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post('/platforms/chat_workspace/events', { bodyLimit: bodyLimitBytes }, async (request) => {
      const body = typeof request.body === 'string' ? request.body : '';
      return receivePlatformCall(newCtx(request.id), { headers: request.headers, body });
    });
    refuseOtherMethods(scope, '/platforms/chat_workspace/events', ['POST']);
  });
}
