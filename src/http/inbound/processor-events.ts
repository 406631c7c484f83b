import type { FastifyInstance } from 'fastify';
import { receiveProcessorEvent } from '../../billing/processor/processor-events.ts';
import type { Actor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { refuseOtherMethods } from '../other-methods.ts';

type NewCtx = (actor: Actor, requestId: string) => Ctx;

/**
 * Registers POST /processor/events: events of the payment processor. Their credential is a signature of the raw body.
 */
export async function registerProcessorEvents(app: FastifyInstance, newCtx: NewCtx): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/processor/events', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body))
        throw new AppError('invalid_request', { message: 'The event is not signed.' });
      await receiveProcessorEvent(newCtx({ kind: 'system' }, request.id), request.body, signature);
      return reply.code(200).send({ received: true });
    });
    refuseOtherMethods(scope, '/processor/events', ['POST']);
  });
}
