import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';

export interface PieceToSpeak {
  text: string;
  /** Voice of eSpeak: a language and a variant. */
  variant: string;
  /** Pitch, 0 to 99. */
  pitch: number;
}

export interface SpokenPiece {
  /** WAV file with 16 bits and one channel. */
  wav: Uint8Array;
}

/** Synthesizes pieces of text in child processes. */
export interface SpeakerPool {
  /**
   * Synthesizes one piece. `spoken` is the number of pieces that this caller has received so far.
   * @throws the signal's reason; Error when the process ends
   */
  speak(piece: PieceToSpeak, spoken: number, signal: AbortSignal): Promise<SpokenPiece>;
}

interface Waiting {
  spoken: number;
  start: (child: ChildProcess) => void;
}

/** Maximum number of processes. Each needs a tenth of the duration of its speech as CPU time. */
const maxProcesses = 2;
const idleMs = 30_000;

/**
 * Creates a pool of at most two processes. Among waiting callers, the one with the fewest pieces is served first, so
 * that a short text never waits for the rest of a long one.
 */
export function createSpeakerPool(): SpeakerPool {
  const waiting: Waiting[] = [];
  const idle: ChildProcess[] = [];
  let processes = 0;

  const startNext = (): void => {
    const next = waiting.toSorted((a, b) => a.spoken - b.spoken)[0];
    const child = next && (idle.pop() ?? (processes < maxProcesses ? startProcess() : undefined));
    if (!child) return;
    waiting.splice(waiting.indexOf(next), 1);
    next.start(child);
  };
  const startProcess = (): ChildProcess => {
    processes++;
    const child = forkSpeaker();
    child.once('exit', () => {
      processes--;
      if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
      startNext();
    });
    return child;
  };
  const release = (child: ChildProcess): void => {
    if (child.killed || child.exitCode !== null || child.signalCode !== null) return;
    idle.push(child);
    startNext();
    if (!idle.includes(child)) return;
    // An idle process must not keep this one alive.
    child.unref();
    child.channel?.unref();
    setTimeout(() => idle.includes(child) && child.kill('SIGKILL'), idleMs).unref();
  };
  const claim = async (spoken: number, signal: AbortSignal): Promise<ChildProcess> => {
    const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
    const entry: Waiting = { spoken, start: resolve };
    const abort = () => {
      if (waiting.includes(entry)) waiting.splice(waiting.indexOf(entry), 1);
      reject(signal.reason as Error);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    waiting.push(entry);
    startNext();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };

  return {
    speak: async (piece, spoken, signal) => {
      const child = await claim(spoken, signal);
      const kill = () => child.kill('SIGKILL');
      child.ref();
      child.channel?.ref();
      signal.addEventListener('abort', kill, { once: true });
      try {
        return await speakIn(child, piece);
      } finally {
        signal.removeEventListener('abort', kill);
        release(child);
      }
    },
  };
}

function forkSpeaker(): ChildProcess {
  const script = join(import.meta.dirname, `espeak.worker${extname(import.meta.filename)}`);
  return fork(script, {
    execArgv: [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

async function speakIn(child: ChildProcess, piece: PieceToSpeak): Promise<SpokenPiece> {
  const settled = new AbortController();
  const ended = once(child, 'exit', settled).then(() => {
    throw new Error('the speech synthesizer ended');
  });
  try {
    child.send(piece);
    const [spoken] = (await Promise.race([once(child, 'message', settled), ended])) as [SpokenPiece];
    return spoken;
  } finally {
    settled.abort();
    ended.catch(() => undefined);
  }
}
