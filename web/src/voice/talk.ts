import { ApiError, asApiError } from '../api/api-error.ts';
import type { SocketFrame } from '../api/service-socket.ts';
import { plainText } from '../../../src/core/markdown/plain-text.ts';
import { lastSentence } from '../chat/markdown/plain-text.ts';
import { stopPlaying } from '../chat/composer/player.ts';
import { type Microphone, openMicrophone } from './microphone.ts';
import { playReply, type ReplySound } from './reply-sound.ts';
import { openTalkLine, type TalkLine } from './talk-line.ts';
import { texts } from './texts.ts';
import { createUtterances, type Utterances } from './utterances.ts';

export type TalkPhase =
  | 'connecting'
  | 'listening'
  | 'hearing'
  | 'understanding'
  | 'answering'
  | 'speaking'
  | 'reconnecting'
  | 'stopped';

export interface TalkState {
  phase: TalkPhase;
  isMuted: boolean;
  stream: MediaStream | null;
  /** The last transcript. */
  heard: string;
  /** The latest sentence of the agent's reply. */
  said: string;
  /** The last error. Talking continues unless `phase` is `stopped`. */
  problem: ApiError | null;
}

interface TalkOptions {
  conversationId: string;
  onChange: (state: TalkState) => void;
  /** Called when a message of the conversation was stored. */
  onMessage: () => void;
  /** Called when a reply has started. */
  onReply: (generationId: string) => void;
}

/** A spoken conversation. */
export interface Talk {
  /** Cancels the reply and its sound. */
  interrupt(): void;
  setMuted(isMuted: boolean): void;
  /** Ends the spoken conversation. A running reply is still completed as text. */
  end(): void;
}

export const beforeTalk: TalkState = {
  phase: 'connecting',
  isMuted: false,
  stream: null,
  heard: '',
  said: '',
  problem: null,
};

/** How much of the end is searched for a sentence. */
const recentCharacters = 2_000;
/** Errors that a retry would return again. */
const finalCodes = new Set(['RATE_LIMITED', 'PLAN_LIMIT_EXCEEDED', 'INSUFFICIENT_SCOPE', 'FORBIDDEN', 'NOT_FOUND']);
/** Errors about a late frame whose turn is already over. */
const lateCodes = new Set(['INVALID_REQUEST', 'CONFLICT']);

export function startTalk({ conversationId, onChange, onMessage, onReply }: TalkOptions): Talk {
  let state = beforeTalk;
  let microphone: Microphone | null = null;
  let line: TalkLine | null = null;
  let utterances: Utterances | null = null;
  let sound: ReplySound | null = null;
  let reply = { id: '', text: '' };
  let isOver = false;

  const change = (part: Partial<TalkState>): void => {
    if (isOver) return;
    state = { ...state, ...part };
    onChange(state);
  };
  const close = (): void => {
    if (isOver) return;
    isOver = true;
    line?.close();
    microphone?.close();
    sound?.stop();
  };
  const stop = (problem: ApiError): void => {
    change({ phase: 'stopped', problem, stream: null });
    close();
  };
  const fail = (problem: ApiError): void => {
    if (finalCodes.has(problem.code)) return stop(problem);
    change({ problem });
  };
  const silence = (): void => {
    const ended = sound;
    sound = null;
    ended?.stop();
  };

  /** Cancels the running turn, so that the person can speak. */
  const interrupt = (): void => {
    if (state.phase === 'understanding' || isAnswering(state.phase)) line?.cancel();
    silence();
    reply = { id: '', text: '' };
    change({ phase: 'listening' });
  };
  /** Starts a turn. Returns whether it continues the previous utterance, which is not transcribed yet. */
  const begin = (): boolean => {
    const isContinued = state.phase === 'understanding';
    interrupt();
    line?.start();
    change({ phase: 'hearing', problem: null, heard: '', said: '' });
    return isContinued;
  };
  const commit = (): void => {
    line?.commit();
    change({ phase: 'understanding' });
  };

  const takeEvent = ({ type, data = {} }: SocketFrame): void => {
    if (type === 'message.created') {
      onMessage();
      const content = String(data['content']);
      if (data['role'] === 'user' && state.phase === 'understanding')
        change({ phase: 'answering', heard: content, said: '' });
      // A reply that was complete at once is sent only as a message.
      if (data['role'] === 'assistant' && isAnswering(state.phase)) say(content, true);
    } else if (type === 'reply.started') {
      reply = { id: String(data['generation_id']), text: '' };
      onReply(reply.id);
    } else if (type === 'reply.delta' && data['generation_id'] === reply.id) {
      reply.text += String(data['content']);
      say(reply.text, false);
    } else if (type === 'reply.done' && data['generation_id'] === reply.id) say(reply.text, true);
  };
  const say = (text: string, isComplete: boolean): void => {
    const said = lastSentence(plainText(text.slice(-recentCharacters)), isComplete);
    if (said !== '' && said !== state.said) change({ said });
  };
  const takeFrame = (frame: SocketFrame): void => {
    if (frame.op === 'event') return takeEvent(frame);
    const problem = frame.code === undefined ? null : asProblem(frame, state.phase);
    if (frame.op === 'error') return problem && !lateCodes.has(problem.code) ? fail(problem) : undefined;
    // The received sound plays to its end, which ends the turn.
    if (sound) sound.finish();
    else if (state.phase !== 'hearing' || problem) change({ phase: 'listening' });
    if (problem) {
      utterances?.drop();
      fail(problem);
    }
  };
  const takeSound = (piece: Uint8Array<ArrayBuffer>): void => {
    if (!sound) {
      const started = playReply(() => {
        if (sound !== started) return;
        sound = null;
        if (state.phase === 'speaking') change({ phase: 'listening' });
      });
      sound = started;
      change({ phase: 'speaking' });
    }
    sound.add(piece);
  };

  const run = async (): Promise<void> => {
    stopPlaying();
    microphone = await openMicrophone({
      onSamples: (samples) => {
        if (line && isOpenIn(state.phase)) utterances?.hear(samples, sound !== null);
      },
      onLost: () => stop(new ApiError('NO_MICROPHONE', texts.microphoneLost)),
    });
    if (isOver) return microphone.close();
    utterances = createUtterances(microphone.sampleRate, {
      onBegin: begin,
      onSound: (piece) => line?.send(piece),
      onEnd: commit,
    });
    change({ stream: microphone.stream });
    line = openTalkLine(conversationId, {
      onOpen: () => change({ phase: 'listening' }),
      onLost: () => {
        const isUnheard = state.phase === 'hearing' || state.phase === 'understanding';
        utterances?.drop();
        sound?.finish();
        const problem = isUnheard ? new ApiError('OFFLINE', texts.sayAgain) : null;
        change({ phase: 'reconnecting', problem });
      },
      onFrame: takeFrame,
      onSound: takeSound,
      onRefused: stop,
    });
  };
  run().catch((error: unknown) => stop(asApiError(error)));
  return {
    interrupt,
    setMuted: (isMuted) => {
      microphone?.setMuted(isMuted);
      change({ isMuted });
    },
    end: close,
  };
}

const isAnswering = (phase: TalkPhase): boolean => phase === 'answering' || phase === 'speaking';
const isOpenIn = (phase: TalkPhase): boolean =>
  phase !== 'connecting' && phase !== 'reconnecting' && phase !== 'stopped';

function asProblem({ code = '', message = '' }: SocketFrame, phase: TalkPhase): ApiError {
  const isUnheard = code === 'invalid_request' && phase === 'understanding';
  if (isUnheard) return new ApiError('NOT_UNDERSTOOD', texts.nothingUnderstood);
  if (code === 'insufficient_scope' || code === 'forbidden') return new ApiError(code, texts.voiceNotAllowed);
  return new ApiError(code, message);
}
