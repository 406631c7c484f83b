import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '../src/core/ctx.ts';
import { toWire } from '../src/core/wire.ts';
import {
  listSimulatedMessages,
  type SimulatedPlatforms,
  writeSimulatedMessage,
} from '../src/integrations/simulation.ts';

type IntegrationRequest = FastifyRequest<{ Params: { integration_id: string } }>;

/** The development surface of the simulated platforms: a person writes there, and what was said there. */
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
