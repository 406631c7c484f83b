export interface VoiceOptions {
  /** Audio that is sent: WebM from `MediaRecorder`, or PCM at 24 kHz, mono, 16 bits, little-endian. */
  format: 'webm' | 'pcm16';
}

/**
 * One turn of a spoken conversation. Iterates over the reply as MP3, piece by piece. Throws ApiError when the service refuses
 * or the reply fails, and ConnectionError when the connection is lost.
 */
export interface VoiceTurn extends AsyncIterable<Uint8Array> {
  /** Sends audio of the utterance. */
  send(sound: Uint8Array): void;
  /** Ends the utterance. Its text is sent as a message, and the reply is spoken while it is written. */
  commit(): void;
  /** Cancels the utterance and the reply, for example when the person interrupts. */
  cancel(): void;
}

interface OpenTurn {
  turn: VoiceTurn;
  receive(sound: Uint8Array): void;
  /** Ends the turn, with an error or null. */
  end(error: Error | null): void;
}

const pieceBytes = 32_768;

/** Creates a turn on a connection. */
export function createTurn(id: string, { format }: VoiceOptions, send: (frame: object | Uint8Array) => void): OpenTurn {
  const queue: Uint8Array[] = [];
  let ended: { error: Error | null } | null = null;
  let wake = (): void => undefined;

  async function* sound(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const piece = queue.shift();
      if (piece) yield piece;
      else if (ended) {
        if (ended.error !== null) throw ended.error;
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  send({ op: 'voice.start', id, format });
  return {
    turn: {
      send(bytes) {
        if (ended) return;
        for (let at = 0; at < bytes.length; at += pieceBytes) send(bytes.subarray(at, at + pieceBytes));
      },
      commit() {
        if (!ended) send({ op: 'voice.commit', id });
      },
      cancel() {
        queue.length = 0;
        if (!ended) send({ op: 'voice.cancel', id });
      },
      [Symbol.asyncIterator]: sound,
    },
    receive(bytes) {
      queue.push(bytes);
      wake();
    },
    end(error) {
      ended ??= { error };
      wake();
    },
  };
}
