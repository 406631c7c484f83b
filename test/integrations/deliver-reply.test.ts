import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import type { OutboundMessage } from '../../src/integrations/platforms.ports.ts';
import { deliverReply } from '../../src/integrations/replies/deliver-reply.ts';
import type { OpenMessage } from '../../src/integrations/replies/open-message.ts';
import { type Chat, startChats } from './fixture.ts';

let chats: Awaited<ReturnType<typeof startChats>>;
let chat: Chat;
beforeAll(async () => {
  chats = await startChats();
  chat = await chats.connect('chat_messenger');
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});

/** A reply of three parts, and a Ctx whose platform runs `onSend` for each of them. */
async function replyOf(event: string, onSend: (message: OutboundMessage, seq: number) => Promise<unknown>) {
  const { rows } = await chats.app.db.query(
    `insert into platform_messages (integration_id, event_id, chat_id, person_id, state, target, content, parts, created_at)
     values ($1, $2, $2, 'p', 'replying', '{"channelId":"1"}', '', '["one","two","three"]', now()) returning seq`,
    [chat.id, event],
  );
  const seq = Number(rows[0].seq);
  const ctx = chats.app.app.newCtx({ kind: 'system' });
  const send = async (_bot: unknown, message: OutboundMessage) => {
    await onSend(message, seq);
    return 'sent';
  };
  const platforms = { ...ctx.ports.platforms, chat_messenger: { ...ctx.ports.platforms.chat_messenger, send } };
  const message = {
    seq,
    integrationId: chat.id,
    personId: 'p',
    parts: ['one', 'two', 'three'],
    partsSent: 0,
    sending: false,
    platform: 'chat_messenger',
    target: { channelId: '1' },
    bot: { token: 't', place: '' },
  } as unknown as OpenMessage;
  const stub = { ...chats.app.app.newCtx({ kind: 'system' }), ports: { ...ctx.ports, platforms } as Ports } as Ctx;
  return { ctx: stub, message };
}

const confirmed = async () => undefined;

describe('deliverReply', () => {
  test('sends nothing more once another process has advanced the reply', async () => {
    const sent: string[] = [];
    const { ctx, message } = await replyOf('advanced', async ({ text }, seq) => {
      sent.push(text);
      await chats.app.db.query('update platform_messages set parts_sent = 2, sending = false where seq = $1', [seq]);
    });
    await expect(deliverReply(ctx, message, confirmed)).rejects.toThrow('another process delivers this reply');
    expect(sent).toEqual(['one']);
  });

  test('counts a reply once when another process has finished it', async () => {
    const before = (await chats.get(chat.id)).message_count;
    const { ctx, message } = await replyOf('finished', async ({ text }, seq) => {
      if (text === 'three')
        await chats.app.db.query(`update platform_messages set state = 'answered', parts = null where seq = $1`, [seq]);
    });
    await deliverReply(ctx, message, confirmed);
    expect((await chats.get(chat.id)).message_count).toBe(before);
  });

  test('sends nothing when the lease is lost', async () => {
    const sent: string[] = [];
    const { ctx, message } = await replyOf('lost', async ({ text }) => sent.push(text));
    const lost = () => Promise.reject(new Error('the lease is lost'));
    await expect(deliverReply(ctx, message, lost)).rejects.toThrow('the lease is lost');
    expect(sent).toEqual([]);
  });
});
