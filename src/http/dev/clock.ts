import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Ctx } from '../../core/ctx.ts';
import { type DatabaseClock, moveBusinessTime } from '../../core/database/database-clock.ts';
import { parseInput } from '../../core/input.ts';

const maxSeconds = 10 * 366 * 86_400;
const moveInput = z.strictObject({ seconds: z.int().min(0).max(maxSeconds) });

/**
 * Registers GET and POST /dev/clock, which return business time and move it forward on all instances, permanently.
 * Embedded profile only.
 */
export function registerDevClock(app: FastifyInstance, newCtx: (requestId: string) => Ctx, clock: DatabaseClock): void {
  const answer = () => ({ now: clock.now().toISOString() });
  app.get('/dev/clock', async () => answer());
  app.post('/dev/clock', async (request) => {
    const { seconds } = parseInput(moveInput, request.body ?? {});
    await moveBusinessTime(newCtx(request.id), seconds);
    await clock.sync();
    return answer();
  });
}
