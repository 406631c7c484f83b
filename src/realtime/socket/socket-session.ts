import type { Logger } from 'pino';
import { newUuid } from '../../core/ids.ts';
import { hasScope, type UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { OwnLimit } from '../../core/http/rate-limit-table.ts';
import type { ChannelKinds } from '../channel.ts';
import { createSocketVoice, type SocketVoice } from '../voice/socket-voice.ts';
import { type ClientFrame, maxFrameBytes, parseFrame } from './client-frames.ts';
import { createFrameRate } from './frame-rate.ts';
import { holdCredential, type HeldCredential } from './held-credential.ts';
import type { OpenSockets } from './open-sockets.ts';
import { publicError } from './public-error.ts';
import { createSubscriptions } from './subscriptions.ts';
import { closeCodes, connectLimitMs, heartbeatSeconds, type Wire } from './wire.ts';

export interface SocketOptions {
  wire: Wire;
  /** The client's network, as rate limits count it. */
  network: string;
  sockets: OpenSockets;
  channels: ChannelKinds;
  /** Returns the actor of a credential; null when the credential is invalid. */
  authenticate: (token: string) => Promise<UserActor | null>;
  /**
   * Consumes the request limit.
   * @throws AppError `rate_limited`
   */
  admit: (actor: UserActor, own?: OwnLimit) => Promise<void>;
  newCtx: (actor: UserActor) => Ctx;
  log: Logger;
}

const longestReconnectMs = 5_000;

/**
 * Serves the JSON protocol of /v1/socket on a new connection until it is closed. docs/socket.md describes the frames.
 */
export function startSocketSession(options: SocketOptions): void {
  const { wire, network, sockets, channels, authenticate, admit, newCtx, log } = options;
  const rateOf = createFrameRate();
  let credential: HeldCredential | null = null;
  let isConnecting = false;

  const send = (frame: object): void => wire.send(JSON.stringify(frame));
  const sendError = (id: string | undefined, error: AppError): void =>
    send({ op: 'error', ...(id !== undefined && { id }), code: error.code, message: error.message });
  const lose = (): void => wire.close(closeCodes.unauthenticated, 'The credential is missing or no longer valid.');
  const subscriptions = createSubscriptions({ wire, channels, admit });
  const openVoice = (): SocketVoice =>
    (voice ??= createSocketVoice({ wire, findSubscription: (id) => subscriptions.find(id), admit, log }));
  // Created on demand, because most sockets never use voice.
  let voice: SocketVoice | null = null;

  const connectByMs = performance.now() + connectLimitMs;
  const remove = sockets.add({
    wire,
    check: (now, nowMs) => {
      if (credential?.isExpired(now)) lose();
      // Not while authentication is running: when all clients reconnect at once, it can take longer than the limit.
      if (!credential && !isConnecting && nowMs > connectByMs)
        wire.close(closeCodes.timeout, 'No connect frame arrived in time.');
    },
    goAway: () => {
      send({ op: 'going_away', reconnect_after_ms: Math.round(Math.random() * longestReconnectMs) });
      wire.close(closeCodes.goingAway, 'The service is restarting.');
    },
  });

  async function connect(token: string): Promise<void> {
    if (isConnecting || credential)
      throw new AppError('invalid_request', { message: 'This socket is already connected.' });
    isConnecting = true;
    try {
      await hold(token);
    } finally {
      isConnecting = false;
    }
  }

  async function hold(token: string): Promise<void> {
    const actor = await authenticate(token);
    if (!actor) return lose();
    await admit(actor);
    if (isClosed) return;
    if (!(await sockets.join(actor)))
      return wire.close(closeCodes.tooMany, 'You have reached the connection limit of your plan.');
    if (isClosed) return sockets.leave(actor.userId);
    sockets.settle(network);
    wire.countFor(actor.userId);
    credential = holdCredential(newCtx, actor, token, lose);
    send({ op: 'ready', connection_id: newUuid(), heartbeat_seconds: heartbeatSeconds });
  }

  async function refresh(token: string, held: HeldCredential): Promise<void> {
    const actor = await authenticate(token);
    const before = held.ctx.actor as UserActor;
    if (actor?.userId !== before.userId) {
      throw new AppError('unauthenticated', { message: 'The new credential is not valid for this account.' });
    }
    if (isClosed) return;
    held.replace(actor, token);
    subscriptions.endUnless((scope) => hasScope(actor.scopes, scope));
    send({ op: 'refreshed' });
  }

  async function take(frame: ClientFrame): Promise<void> {
    if (frame.op === 'ping') return send({ op: 'pong' });
    if (frame.op === 'connect') return connect(frame.token);
    if (!credential) return lose();
    if (frame.op === 'refresh') return refresh(frame.token, credential);
    if (frame.op === 'unsubscribe') return subscriptions.end(frame.id);
    if (frame.op === 'voice.start') return openVoice().start(newCtx(credential.ctx.actor as UserActor), frame);
    if (frame.op === 'voice.commit') return openVoice().commit(newCtx(credential.ctx.actor as UserActor), frame.id);
    if (frame.op === 'voice.cancel') return openVoice().cancel(frame.id);
    if (frame.op === 'typing') return subscriptions.presenceOf(frame.id).type();
    if (frame.op === 'presence') return subscriptions.presenceOf(frame.id).change(frame.state);
    return subscriptions.start(credential.ctx, frame);
  }

  function receiveSound(sound: Buffer): void {
    if (!credential) return lose();
    try {
      if (!openVoice().receive(sound)) wire.close(closeCodes.badFrame, 'Too many frames.');
    } catch (error) {
      sendError(undefined, publicError(log, error));
    }
  }

  function receive(data: Buffer): void {
    const rate = rateOf();
    if (rate === 'flood') return wire.close(closeCodes.badFrame, 'Too many frames.');
    if (data.length > maxFrameBytes) return wire.close(closeCodes.tooLarge, 'A frame can have at most 16 KB.');
    const frame = parseFrame(data.toString());
    if (!frame) return wire.close(closeCodes.badFrame, 'A frame must be a JSON object.');
    const id = 'id' in frame ? frame.id : undefined;
    if (rate === 'over')
      return sendError(
        id,
        new AppError('rate_limited', { message: 'A connection can send at most 20 frames a second.' }),
      );
    if ('problem' in frame) return sendError(id, new AppError('invalid_request', { message: frame.problem }));
    take(frame).catch((error: unknown) => sendError(id, publicError(log, error)));
  }

  let isClosed = false;
  wire.onMessage((data, isBinary) => (isBinary ? receiveSound(data) : receive(data)));
  wire.onClose(() => {
    isClosed = true;
    remove();
    voice?.end();
    subscriptions.endAll();
    if (!credential) return sockets.settle(network);
    credential.release();
    sockets.leave((credential.ctx.actor as UserActor).userId);
  });
}
