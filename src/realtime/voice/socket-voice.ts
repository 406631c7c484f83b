import type { Logger } from 'pino';
import type { UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { OwnLimit } from '../../core/http/rate-limit-table.ts';
import { createFrameRate } from '../socket/frame-rate.ts';
import { publicError } from '../socket/public-error.ts';
import { maxSoundBytes, type Wire } from '../socket/wire.ts';
import { answerSpeech, BargeIn, requireVoice } from './answer-speech.ts';
import { createRecording, maxRecordingSeconds, type Recording, type RecordingFormat } from './recording.ts';

interface VoiceOptions {
  wire: Wire;
  /** Returns the channel of an open subscription and the signal of its end. */
  findSubscription: (id: string) => { channel: string; left: AbortSignal } | undefined;
  admit: (actor: UserActor, own?: OwnLimit) => Promise<void>;
  log: Logger;
}

/**
 * The voice of one connection. There is at most one turn at a time, from the first audio of an utterance to the last
 * audio of its reply.
 */
export interface SocketVoice {
  /**
   * Starts an utterance.
   * @throws AppError `conflict`, `invalid_request`, `insufficient_scope`
   */
  start(ctx: Ctx, frame: { id: string; format: RecordingFormat }): void;
  /**
   * Adds audio to the utterance. Returns false for a flood.
   * @throws AppError when there is no utterance
   */
  receive(sound: Buffer): boolean;
  /**
   * Ends the utterance and replies in the background.
   * @throws AppError when there is no utterance
   */
  commit(ctx: Ctx, id: string): void;
  /** Ends the audio and the reply, or discards the utterance. A no-op without a turn. */
  cancel(id: string): void;
  /** Ends the turn, after the connection was closed. */
  end(): void;
}

interface Turn {
  id: string;
  conversationId: string;
  recording: Recording;
  isRecording: boolean;
  left: AbortController;
  timer: NodeJS.Timeout;
  stopListening: () => void;
}

/** Limit of audio frames per second, and the rate from which a client counts as flooding. */
const soundRate = { perSecond: 100, flood: 400 };

export function createSocketVoice({ wire, findSubscription, admit, log }: VoiceOptions): SocketVoice {
  const rateOf = createFrameRate(soundRate);
  let turn: Turn | null = null;
  /** Settles when the previous turn is over and, if it was interrupted, its reply is stored. */
  let before: Promise<void> = Promise.resolve();

  const send = (frame: object): void => wire.send(JSON.stringify(frame));

  /** Ends a turn. Its signal aborts work in progress. */
  function finish(ended: Turn, frame: object, reason?: Error): void {
    if (turn !== ended) return;
    turn = null;
    clearTimeout(ended.timer);
    ended.stopListening();
    ended.recording.release();
    ended.left.abort(reason);
    send({ op: 'voice.ended', id: ended.id, ...frame });
  }

  const fail = (failed: Turn, error: AppError): void => finish(failed, { code: error.code, message: error.message });

  function current(id: string): Turn {
    if (turn?.id === id && turn.isRecording) return turn;
    throw new AppError('invalid_request', { message: 'There is no utterance. Send `voice.start` first.' });
  }

  function start(ctx: Ctx, { id, format }: { id: string; format: RecordingFormat }): void {
    const subscription = findSubscription(id);
    const [kind, conversationId = ''] = subscription?.channel.split(':', 2) ?? [];
    if (!subscription || kind !== 'conversation') {
      throw new AppError('invalid_request', { message: 'id: there is no subscription of a conversation with this id' });
    }
    if (turn) {
      throw new AppError('conflict', { message: 'A turn is in progress on this socket. Send `voice.cancel` first.' });
    }
    requireVoice(ctx);
    const leave = (): void => finish(started, {});
    const started: Turn = {
      id,
      conversationId,
      recording: createRecording(ctx.ports, format),
      isRecording: true,
      left: new AbortController(),
      timer: setTimeout(() => fail(started, tooLong()), maxRecordingSeconds * 1_000),
      stopListening: () => subscription.left.removeEventListener('abort', leave),
    };
    subscription.left.addEventListener('abort', leave);
    turn = started;
    send({ op: 'voice.started', id });
  }

  function receive(sound: Buffer): boolean {
    const rate = rateOf();
    if (rate === 'flood') return false;
    if (!turn?.isRecording) {
      throw new AppError('invalid_request', { message: 'There is no utterance. Send `voice.start` before its sound.' });
    }
    try {
      if (rate === 'over') {
        throw new AppError('rate_limited', {
          message: `A connection can send at most ${soundRate.perSecond} audio frames a second.`,
        });
      }
      turn.recording.add(sound);
    } catch (error) {
      fail(turn, publicError(log, error));
    }
    return true;
  }

  function commit(ctx: Ctx, id: string): void {
    const committed = current(id);
    committed.isRecording = false;
    clearTimeout(committed.timer);
    before = answer(ctx, committed).then(
      () => finish(committed, {}),
      (error: unknown) => {
        // Errors after an interruption are expected and are not reported.
        if (turn === committed) fail(committed, publicError(log, error));
      },
    );
  }

  async function answer(ctx: Ctx, { id, conversationId, recording, left }: Turn): Promise<void> {
    await before;
    let seq = 0;
    await answerSpeech(ctx, {
      conversationId,
      recording,
      admit,
      left: left.signal,
      async send(sound) {
        for (let at = 0; at < sound.length; at += maxSoundBytes) {
          await wire.whenReady();
          if (left.signal.aborted) return;
          send({ op: 'voice.chunk', id, seq: seq++ });
          wire.send(Buffer.from(sound.subarray(at, at + maxSoundBytes)));
        }
      },
    });
  }

  return {
    start,
    receive,
    commit,
    cancel(id) {
      if (turn?.id === id) finish(turn, { cancelled: true }, new BargeIn());
    },
    end() {
      if (turn) finish(turn, {});
    },
  };
}

const tooLong = (): AppError =>
  new AppError('payload_too_large', { message: `An utterance can have at most ${maxRecordingSeconds} seconds.` });
