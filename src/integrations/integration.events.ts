import type { Integration, IntegrationStatus } from './integration.entity.ts';
import type { PlatformKind } from './platforms.ports.ts';

/** The Integration in event data, without what its platform does not have. `sequence` grows by one with each event of it. */
export interface IntegrationEventData {
  id: string;
  platform: PlatformKind;
  agentId: string;
  status: IntegrationStatus;
  guildId?: string;
  workspaceId?: string;
  channelIds?: string[];
  autoRespond: boolean;
  messageCount: number;
  connectedAt: Date;
  lastMessageAt: Date | null;
  sequence: number;
}

declare module '../core/outbox.ts' {
  interface EventData {
    'integration.connected': IntegrationEventData;
    'integration.disconnected': IntegrationEventData;
    'integration.error': IntegrationEventData & { error: { code: string; message: string } };
  }
}

/** The columns that event data is made of. */
export const integrationColumns = `
  i.id, i.owner_id as "ownerId", i.agent_id as "agentId", i.platform, i.status, i.place, i.channel_ids as "channelIds",
  i.auto_respond as "autoRespond", i.error_code as "errorCode", i.error_message as "errorMessage",
  i.message_count as "messageCount", i.event_sequence as "eventSequence", i.connected_at as "connectedAt",
  i.last_message_at as "lastMessageAt", i.created_at as "createdAt"`;

/** An integration without its secrets. */
export type IntegrationView = Omit<Integration, 'botToken' | 'tokenHash'>;

/** Guild, workspace and channels, as far as the platform has them. */
export const placesOf = (
  integration: IntegrationView,
): Pick<IntegrationEventData, 'guildId' | 'workspaceId' | 'channelIds'> => {
  const { platform, place, channelIds } = integration;
  if (platform === 'chat_server') return { guildId: place, channelIds };
  return platform === 'chat_workspace' ? { workspaceId: place, channelIds } : {};
};

/** `integration.eventSequence` has to be the event's own. */
export const integrationEventData = (integration: IntegrationView): IntegrationEventData => ({
  id: integration.id,
  platform: integration.platform,
  agentId: integration.agentId,
  status: integration.status,
  ...placesOf(integration),
  autoRespond: integration.autoRespond,
  messageCount: integration.messageCount,
  connectedAt: integration.connectedAt,
  lastMessageAt: integration.lastMessageAt ?? null,
  sequence: integration.eventSequence,
});
