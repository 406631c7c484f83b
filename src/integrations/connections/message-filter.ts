import type { Ctx } from '../../core/ctx.ts';
import type { InboundMessage } from '../platforms.ports.ts';
import { isAddressed, type Listener } from '../replies/receive-message.ts';

const readListener = {
  name: 'integration_filter',
  text: `
    select i.platform, i.channel_ids as "channelIds", i.auto_respond as "autoRespond" from integrations i where i.id = $1`,
};

/**
 * Longest time that settings are cached, in milliseconds. A change wakes every process; this bounds the delay when that
 * notification is lost.
 */
const maxAgeMs = 1_000;

/** Selects the messages of one connection that the integration may reply to. */
export interface MessageFilter {
  accepts(message: InboundMessage): Promise<boolean>;
  /** Notes that the integration may have changed. */
  refresh(): void;
}

/**
 * Creates a filter for one connection. A bot receives every message of its server, most of them in channels that are
 * not its own, so the settings of the integration are cached instead of read for each message.
 */
export function createMessageFilter(newCtx: () => Ctx, integrationId: string): MessageFilter {
  let cached: { listener: Promise<Listener[]>; readMs: number } | null = null;
  const read = (): Promise<Listener[]> => {
    if (cached && performance.now() - cached.readMs < maxAgeMs) return cached.listener;
    const listener = newCtx().sql<Listener>(readListener, [integrationId]);
    const entry = (cached = { listener, readMs: performance.now() });
    listener.catch(() => {
      if (cached === entry) cached = null;
    });
    return listener;
  };
  return {
    accepts: async (message) => {
      const [listener] = await read();
      return listener !== undefined && isAddressed(listener, message);
    },
    refresh: () => {
      cached = null;
    },
  };
}
