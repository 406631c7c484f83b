import type { Scope, UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { type ChannelKinds, type ChannelReading, frameOf, openChannel, type ReaderPresence } from '../channel.ts';
import { publicError } from './public-error.ts';
import type { Wire } from './wire.ts';

const maxSubscriptions = 50;

/** Shared abort reason of all subscriptions. An abort without a reason would create an error with a stack each time. */
const ended = new DOMException('The subscription ended.', 'AbortError');

interface SubscribeFrame {
  id: string;
  channel: string;
  after?: string | null | undefined;
}

interface SubscriptionsOptions {
  wire: Wire;
  channels: ChannelKinds;
  admit: (actor: UserActor) => Promise<void>;
}

/** The subscriptions of one connection. Each channel is read at the pace of the connection. */
export interface Subscriptions {
  /**
   * Opens a channel and then sends its events in the background.
   * @throws AppError
   */
  start(ctx: Ctx, frame: SubscribeFrame): Promise<void>;
  end(id: string): void;
  /** Returns an open subscription. Its signal fires when it ends. */
  find(id: string): { channel: string; left: AbortSignal } | undefined;
  /**
   * Returns the reader's presence in the channel of a subscription.
   * @throws AppError `invalid_request` when there is no such subscription or its channel has no presence
   */
  presenceOf(id: string): ReaderPresence;
  /** Ends the subscriptions whose scope is no longer granted. */
  endUnless(isHeld: (scope: Scope) => boolean): void;
  endAll(): void;
}

interface Subscription {
  channel: string;
  left: AbortController;
  scope: Scope | undefined;
  /** Whether the client has been notified that the subscription is open. */
  isOpen: boolean;
  presence?: ReaderPresence | undefined;
}

export function createSubscriptions({ wire, channels, admit }: SubscriptionsOptions): Subscriptions {
  const open = new Map<string, Subscription>();

  function end(id: string, error?: AppError): void {
    const subscription = open.get(id);
    if (!subscription) return;
    open.delete(id);
    subscription.left.abort(ended);
    wire.send(JSON.stringify({ op: 'ended', id, ...(error && { code: error.code, message: error.message }) }));
  }

  async function start(ctx: Ctx, { id, channel, after = null }: SubscribeFrame): Promise<void> {
    if (open.has(id)) throw new AppError('conflict', { message: 'This id is already in use on the socket.' });
    if (open.size >= maxSubscriptions) {
      throw new AppError('rate_limited', { message: `A socket can have at most ${maxSubscriptions} subscriptions.` });
    }
    const left = new AbortController();
    const { scope } = channels[channel.split(':', 1)[0] ?? ''] ?? {};
    const subscription: Subscription = { channel, left, scope, isOpen: false };
    open.set(id, subscription);
    let reading: ChannelReading;
    try {
      await admit(ctx.actor as UserActor);
      reading = await openChannel(ctx, channels, channel, { after, left: left.signal });
    } catch (error) {
      if (open.get(id)?.left === left) open.delete(id);
      left.abort(ended);
      throw error;
    }
    if (left.signal.aborted) return void reading.events.return();
    const { resumed, offset, events, presence } = reading;
    subscription.isOpen = true;
    subscription.presence = presence;
    wire.send(JSON.stringify({ op: 'subscribed', id, resumed, offset }));
    void send(id, events, left.signal).then(
      () => left.signal.aborted || end(id),
      (error: unknown) => left.signal.aborted || end(id, publicError(ctx.log, error)),
    );
  }

  async function send(id: string, events: ChannelReading['events'], left: AbortSignal): Promise<void> {
    for await (const event of events) {
      const wait = wire.whenReady();
      if (wait) await wait;
      if (left.aborted) return;
      const frame = frameOf(event, id);
      if (typeof frame === 'string') wire.send(frame);
      else wire.sendShared(frame);
    }
  }

  return {
    start,
    presenceOf(id) {
      const subscription = open.get(id);
      if (!subscription) throw new AppError('invalid_request', { message: 'There is no subscription with this id.' });
      if (subscription.presence) return subscription.presence;
      throw new AppError('invalid_request', { message: 'This subscription does not support presence.' });
    },
    end: (id) => end(id),
    find(id) {
      const { channel, left, isOpen } = open.get(id) ?? {};
      return channel && left && isOpen ? { channel, left: left.signal } : undefined;
    },
    endUnless(isHeld) {
      for (const [id, { scope }] of open) if (scope && !isHeld(scope)) end(id, new AppError('insufficient_scope'));
    },
    endAll() {
      for (const { left } of open.values()) left.abort(ended);
      open.clear();
    },
  };
}
