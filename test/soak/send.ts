import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readEvents } from '../support/client.ts';
import { hashOf } from './ledger.ts';
import type { Answer, Visitor } from './visitor.ts';
import { Abandoned, type World } from './world.ts';

/** A reply that was read completely. */
export interface Reply {
  conversationId: string;
  userMessageId: string;
  /** Null if it was stopped before its first word. */
  messageId: string | null;
  text: string;
  generationId: string;
  stopped: boolean;
}

interface SendOptions {
  as: string;
  conversationId: string;
  content: string;
  /** Identifies the message; if omitted, its text does. */
  key?: string;
  /** Called with the first piece of the reply. */
  onFirst?: () => void;
}

const streamRoute = 'POST /conversations/:conversation_id/messages/stream';
const patienceMs = 90_000;
const aftermathMs = 40_000;

/**
 * Sends a message and streams the reply; if the connection drops before its end, sends the same message again, as the
 * specification requires. The ledger records what was acknowledged.
 */
export async function streamMessage(world: World, visitor: Visitor, options: SendOptions): Promise<Reply> {
  const { as, conversationId, content, key, onFirst } = options;
  const { findings, tally, ledger, fleet, contract } = world;
  const path = `/v1/conversations/${conversationId}/messages/stream`;
  const deadline = performance.now() + patienceMs;
  const giveUp = (why: string): never => {
    findings.add('a stream that the contract does not allow', `${content}: ${why}`);
    throw new Abandoned();
  };
  for (let tries = 1; ; tries++) {
    if (performance.now() > deadline) giveUp('no reply within a minute and a half');
    if (tries > 1) {
      tally.count('sent again');
      await delay(100);
    }
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
    const tried = await visitor.attempt('POST', path, { as, body: { content }, headers });
    if (!tried) continue;
    const { response, lost } = tried;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const fault = contract.fault(streamRoute, {
      status: response.status,
      headers: response.headers,
      body: isStream ? '' : await response.json().catch(() => null),
    });
    if (fault) giveUp(`${response.status} ${fault}`);
    if (!isStream) {
      // A reply that died with its instance ends after its lease; until then, and during shutdown, requests are refused.
      const mayPass = [502, 503, 504].includes(response.status) || (response.status === 409 && tries > 1);
      if (!mayPass || !fleet.wasDisturbed(aftermathMs)) giveUp(`refused with ${response.status}`);
      continue;
    }
    ledger.sent.set(content, { conversationId });
    let text = '';
    try {
      for await (const { event, data } of readEvents(response)) {
        if (event === 'delta') {
          if (text === '') onFirst?.();
          text += data.content;
        }
        if (event === 'error') {
          if (!fleet.wasDisturbed(aftermathMs)) giveUp(`error event ${data.code}`);
          tally.count('streams ended by an error');
        }
        if (event === 'done') {
          tally.count('streams');
          if (data.message_id) ledger.replies.set(data.message_id, { conversationId, hash: hashOf(text) });
          return {
            conversationId,
            userMessageId: data.user_message_id,
            messageId: data.message_id,
            text,
            generationId: data.generation_id,
            stopped: data.stopped === true,
          };
        }
      }
    } catch (error) {
      if (error instanceof Abandoned) throw error;
      lost(error);
    }
    if (!fleet.wasDisturbed(aftermathMs)) giveUp('ended without done or error');
  }
}

/** Records the exchange of a response and returns it. */
export function keepExchange(world: World, { body }: Answer): { userMessageId: string; messageId: string } {
  const { user_message: user, assistant_message: assistant } = body;
  world.tally.count('exchanges');
  world.ledger.replies.set(assistant.id, {
    conversationId: assistant.conversation_id,
    hash: hashOf(assistant.content),
  });
  return { userMessageId: user.id, messageId: assistant.id };
}

const topics = ['rivers', 'bread', 'clocks', 'maps', 'violins', 'bridges', 'lichen', 'tides', 'kites', 'glass'];

/** Returns a unique question and its unique word. */
export function newQuestion(): { content: string; word: string } {
  const word = `zq${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  return {
    content: `Tell me something about ${topics[Math.floor(Math.random() * topics.length)]}, please: ${word}`,
    word,
  };
}
