import { detectLanguage } from './detect-language.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Synthesizer } from './speech.ts';

export interface PieceToSpeak {
  text: string;
  /** eSpeak's voice: a language and a variant. */
  variant: string;
  /** 0 to 99. */
  pitch: number;
}

export interface SpokenPiece {
  /** 16 bits, one channel. */
  wav: Uint8Array;
}

/** Each takes a processor for a tenth of the time that it speaks. */
const speakersAtOnce = 2;
const pieceLength = 300;

/** A real, if robotic, voice from the optional package `espeak-ng`; null where that is not installed. */
export function findEspeak(): Synthesizer | null {
  try {
    createRequire(import.meta.url).resolve('espeak-ng');
  } catch {
    return null;
  }
  const places = pLimit(speakersAtOnce);
  return {
    title: 'Speech by eSpeak NG (stand-in)',
    sampleRate: 22_050,
    async *speak(text, voice, signal) {
      const left = Promise.withResolvers<void>();
      const child = await new Promise<ChildProcess>((resolve) => {
        void places(() => {
          resolve(startWorker(signal));
          return left.promise;
        });
      });
      try {
        for (const piece of piecesOf(text)) yield await speakPiece(child, piece, voice);
      } finally {
        child.kill('SIGKILL');
        left.resolve();
      }
    },
  };
}

function startWorker(signal: AbortSignal): ChildProcess {
  const script = join(import.meta.dirname, `espeak.worker${extname(import.meta.filename)}`);
  const child = fork(script, {
    execArgv: [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  return child;
}

async function speakPiece(child: ChildProcess, text: string, voice: string): Promise<Float32Array> {
  const settled = new AbortController();
  const gone = once(child, 'exit', settled).then(() => {
    throw new Error('the speech synthesiser ended');
  });
  try {
    child.send({
      text,
      variant: languageOf(text) + (variants[voice]?.name ?? ''),
      pitch: variants[voice]?.pitch ?? 50,
    });
    const [{ wav }] = (await Promise.race([once(child, 'message', settled), gone])) as [SpokenPiece];
    const samples = new Int16Array(wav.slice().buffer, 0, wav.length >> 1);
    return Float32Array.from(samples, (sample) => sample / 32_768);
  } finally {
    settled.abort();
    gone.catch(() => undefined);
  }
}

/** Sentences, so that the first is heard while the next is made. */
const piecesOf = (text: string): string[] =>
  [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text)].flatMap(
    ({ segment }) => segment.match(new RegExp(`.{1,${pieceLength}}(?:\\s|$)|.{1,${pieceLength}}`, 'gsu')) ?? [],
  );

const variants: Record<string, { name: string; pitch: number } | undefined> = {
  alloy: { name: '+m1', pitch: 50 },
  echo: { name: '+m3', pitch: 45 },
  fable: { name: '+f4', pitch: 60 },
  nova: { name: '+f3', pitch: 65 },
  onyx: { name: '+m7', pitch: 20 },
  shimmer: { name: '+f2', pitch: 45 },
};

const languages: Record<string, string | undefined> = { en: 'en-us', zh: 'cmn', pt: 'pt-br' };
const spoken = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'pl', 'ru', 'tr', 'ar', 'hi', 'ko', 'zh'];
const tellingLength = 40;

/** Short texts resemble many languages. */
function languageOf(text: string): string {
  const code =
    text.length < tellingLength && /^[\u0000-\u024f\u2000-\u206f]*$/.test(text) ? 'en' : detectLanguage(text, spoken);
  return languages[code] ?? (code || 'en-us');
}
