import { columnsOf } from '../core/database/columns-of.ts';
import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import { Integration, type IntegrationStatus } from './integration.entity.ts';
import type { PlatformKind } from './platforms.ports.ts';

/**
 * The integration in event data, without fields that its platform does not have. `sequence` increases by one with each
 * of its events.
 */
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

interface IntegrationEvents {
  'integration.connected': IntegrationEventData;
  'integration.disconnected': IntegrationEventData;
  'integration.error': IntegrationEventData & { error: { code: string; message: string } };
}

declare module '../core/outbox.ts' {
  interface EventData extends IntegrationEvents {}
}

const { integrationId, agentId, at } = exampleValues;
const example: IntegrationEventData = {
  id: integrationId,
  platform: 'chat_server',
  agentId,
  status: 'active',
  guildId: '112233445566778899',
  channelIds: ['998877665544332211'],
  autoRespond: false,
  messageCount: 0,
  connectedAt: at,
  lastMessageAt: null,
  sequence: 1,
};

const failure = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
};

export const integrationEvents: EventEntries<IntegrationEvents> = {
  'integration.connected': {
    description: 'The connection to the chat platform is up. `data` is the integration.',
    data: [{ resource: 'Integration' }],
    example,
  },
  'integration.disconnected': {
    description: 'An integration was deleted or disabled.',
    data: [{ resource: 'Integration' }],
    example: { ...example, status: 'inactive', sequence: 2 },
  },
  'integration.error': {
    description: 'The connection failed; `error` gives the reason.',
    data: [{ resource: 'Integration' }, { properties: { error: failure } }],
    example: {
      ...example,
      status: 'error',
      error: { code: 'unauthorized', message: 'The platform rejected the bot token.' },
      sequence: 3,
    },
  },
};

/** An integration without its secrets. */
export type IntegrationView = Omit<Integration, 'botToken' | 'tokenHash'>;

/** Select list of an `IntegrationView`. */
export const integrationColumns = columnsOf(Integration, 'i', { except: ['botToken', 'tokenHash'] });

/** Returns the guild, workspace and channels, as far as the platform has them. */
export const placesOf = (
  integration: IntegrationView,
): Pick<IntegrationEventData, 'guildId' | 'workspaceId' | 'channelIds'> => {
  const { platform, place, channelIds } = integration;
  if (platform === 'chat_server') return { guildId: place, channelIds };
  return platform === 'chat_workspace' ? { workspaceId: place, channelIds } : {};
};

/** Returns the integration in event data. `integration.eventSequence` must be that of the event. */
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
