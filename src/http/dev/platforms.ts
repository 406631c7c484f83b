import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../../core/ctx.ts';
import { toWire } from '../../core/wire.ts';
import {
  listSimulatedMessages,
  type SimulatedPlatforms,
  writeSimulatedMessage,
} from '../../integrations/simulation.ts';

type IntegrationRequest = FastifyRequest<{ Params: { integration_id: string } }>;

/** Registers the routes of the simulated chat platforms: write a message as a user, and list the messages. */
export function registerDevPlatforms(
  app: FastifyInstance,
  newCtx: (requestId: string) => Ctx,
  platforms: SimulatedPlatforms,
): void {
  const url = '/dev/platforms/:integration_id/messages';
  app.post(url, async (request: IntegrationRequest, reply) => {
    const written = await writeSimulatedMessage(
      newCtx(request.id),
      platforms,
      request.params.integration_id,
      request.body,
    );
    return reply.code(201).send(toWire(written));
  });
  app.get(url, async (request: IntegrationRequest) => {
    const data = await listSimulatedMessages(newCtx(request.id), platforms, request.params.integration_id);
    return { data: toWire(data) };
  });
}
