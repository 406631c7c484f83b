import type { Ctx } from '../core/ctx.ts';
import type { PlatformRequest } from './platforms.ports.ts';
import { receiveMessage } from './receive-message.ts';

const listeners = {
  name: 'integration_listeners',
  text: `
    select i.id from integrations i join integration_connections c on c.integration_id = i.id
    where i.platform = 'chat_workspace' and i.place = $1 and i.status = 'active' and c.announced
      and (cardinality($2::text[]) = 0 or c.bot_user_id = any ($2))`,
};

/**
 * Takes what chat_workspace calls with: once it has answered, the message is claimed, and it is answered later. The answer
 * is what the platform wants to read. @throws AppError `unauthenticated`, `invalid_request`
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
