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
  /** An open subscription: its channel, and the signal of its end. */
  findSubscription: (id: string) => { channel: string; left: AbortSignal } | undefined;
  admit: (actor: UserActor, own?: OwnLimit) => Promise<void>;
  log: Logger;
}

/** The voice of one connection: at most one turn at a time, from the first sound of an utterance to the last of its reply. */
export interface SocketVoice {
  /** Begins an utterance. @throws AppError `conflict`, `invalid_request`, `insufficient_scope` */
  start(ctx: Ctx, frame: { id: string; format: RecordingFormat }): void;
  /** Takes sound of the utterance; false for a flood. @throws AppError when there is none */
  receive(sound: Buffer): boolean;
  /** Ends the utterance, and answers it in the background. @throws AppError when there is none */
  commit(ctx: Ctx, id: string): void;
  /** Ends the sound and the reply, or drops the utterance. Without a turn it is a no-op. */
  cancel(id: string): void;
  /** The connection is closed. */
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

/** Pieces of sound in a second: more are a client that cannot be served. */
const soundRate = { perSecond: 100, flood: 400 };

export function createSocketVoice({ wire, findSubscription, admit, log }: VoiceOptions): SocketVoice {
  const rateOf = createFrameRate(soundRate);
  let turn: Turn | null = null;
  /** Settles when the turn before is over, and its reply is stored if it was interrupted. */
  let before: Promise<void> = Promise.resolve();

  const send = (frame: object): void => wire.send(JSON.stringify(frame));

  /** Ends a turn. What it still does is cut off by its signal. */
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
        // What an interruption makes of the work is no failure of it.
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
