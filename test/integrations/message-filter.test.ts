import { expect, test } from 'vitest';
import type { Ctx } from '../../src/core/ctx.ts';
import { createMessageFilter } from '../../src/integrations/connections/message-filter.ts';
import type { InboundMessage } from '../../src/integrations/platforms.ports.ts';

const message = (channelId: string): InboundMessage => ({
  eventId: 'e',
  channelId,
  chatId: channelId,
  personId: 'p',
  text: 'hello',
  isDirected: true,
  target: { channelId },
});

test('reads the settings once for many messages, and again after a change', async () => {
  let statements = 0;
  let channelIds = ['own'];
  const sql = async () => {
    statements++;
    return [{ platform: 'chat_server', channelIds, autoRespond: false }];
  };
  const filter = createMessageFilter(() => ({ sql }) as unknown as Ctx, 'int_1');
  for (let i = 0; i < 100; i++) expect(await filter.accepts(message('other'))).toBe(false);
  expect(await filter.accepts(message('own'))).toBe(true);
  expect(statements).toBe(1);
  channelIds = ['other'];
  filter.refresh();
  expect(await filter.accepts(message('other'))).toBe(true);
  expect(statements).toBe(2);
});
