/** How long a provider may be silent, in milliseconds. */
export interface SilenceLimits {
  /** Timeout from the call to the first byte of the response, including retries and their delays. */
  firstDeltaTimeoutMs: number;
  /** Timeout between two pieces of the response, whatever they contain: text, thoughts or comments. */
  idleTimeoutMs: number;
  /** Timeout from the call to the first text, and between two texts, while the connection is alive. */
  textTimeoutMs: number;
}

/** Time for the usage numbers after the reply is complete. */
const usageTimeoutMs = 2_000;

/** The timers of a call. */
export interface SilenceLimit {
  /** Aborted by the caller, by a timeout, or by `abort`. */
  signal: AbortSignal;
  noteBytes(): void;
  noteText(): void;
  /** Notes that the reply has ended. */
  noteEnding(): void;
  /** Whether a timeout has ended the call. */
  readonly isExpired: boolean;
  /** Ends the timers of a call that is over. */
  end(): void;
  /** Ends the timers and cancels the call. */
  abort(): void;
}

/** Starts the timers of a call that `caller` can abort. */
export function createSilenceLimit(caller: AbortSignal, limits: SilenceLimits): SilenceLimit {
  const own = new AbortController();
  const onAbort = () => own.abort();
  caller.addEventListener('abort', onAbort, { once: true });
  let isExpired = false;
  const expire = () => {
    isExpired = true;
    own.abort();
  };
  let phase: 'waiting' | 'reading' | 'ended' = 'waiting';
  let silence = setTimeout(expire, limits.firstDeltaTimeoutMs);
  const text = setTimeout(expire, Math.max(limits.textTimeoutMs, limits.firstDeltaTimeoutMs));
  const end = () => {
    clearTimeout(silence);
    clearTimeout(text);
    caller.removeEventListener('abort', onAbort);
  };
  const restart = (timeoutMs: number) => {
    clearTimeout(silence);
    silence = setTimeout(expire, timeoutMs);
  };
  return {
    signal: own.signal,
    noteBytes() {
      if (phase === 'reading') silence.refresh();
      if (phase !== 'waiting') return;
      phase = 'reading';
      restart(limits.idleTimeoutMs);
    },
    noteText: () => void text.refresh(),
    noteEnding() {
      if (phase === 'ended') return;
      phase = 'ended';
      restart(usageTimeoutMs);
    },
    get isExpired() {
      return isExpired;
    },
    end,
    abort() {
      end();
      own.abort();
    },
  };
}
