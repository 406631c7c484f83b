import type { Ctx } from '../core/ctx.ts';
import { isListening } from './connections/connection-health.ts';
import type { PlatformRequest } from './platforms.ports.ts';
import { receiveMessage } from './replies/receive-message.ts';

const listeners = {
  name: 'integration_listeners',
  text: `
    select i.id from integrations i join integration_connections c on c.integration_id = i.id
    where i.platform = 'chat_workspace' and i.place = $1 and ${isListening('i')} and c.announced
      and (cardinality($2::text[]) = 0 or c.bot_user_id = any ($2))`,
};

/**
 * Handles a request of chat_workspace. Returns the response that the platform expects once the message is claimed; the
 * reply follows later.
 * @throws AppError `unauthenticated`, `invalid_request`
 */
export async function receivePlatformCall(ctx: Ctx, request: PlatformRequest): Promise<{ challenge?: string }> {
  const call = ctx.ports.platforms.chat_workspace.readCall(request);
  if (call.kind === 'challenge') return { challenge: call.challenge };
  if (call.kind === 'other') return {};
  for (const { id } of await ctx.sql<{ id: string }>(listeners, [call.place, call.botUserIds])) {
    await receiveMessage(ctx, id, call.message);
  }
  return {};
}
