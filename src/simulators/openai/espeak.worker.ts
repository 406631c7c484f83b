import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SpokenPiece, PieceToSpeak } from './espeak-pool.ts';

/**
 * Synthesizes one piece of text after another with eSpeak NG. eSpeak NG is a separate program under the GPL, so it runs
 * in its own process instead of being linked.
 */
const entry = createRequire(import.meta.url).resolve('espeak-ng');
const { default: run } = (await import(pathToFileURL(entry).href)) as { default: (options: object) => Promise<Espeak> };
const compiled = await WebAssembly.compile(await readFile(join(dirname(entry), 'espeak-ng.wasm')));

interface Espeak {
  FS: { readFile(path: string): Uint8Array; writeFile(path: string, text: string): void };
}

const wavHeaderBytes = 44;

process.on('message', (piece: PieceToSpeak) => {
  void speak(piece).then((spoken) => process.send?.(spoken));
});

async function speak({ text, variant, pitch }: PieceToSpeak): Promise<SpokenPiece> {
  const espeak = await run({
    arguments: ['-v', variant, '-p', String(pitch), '-s', '165', '-w', 'out.wav', '-f', 'in.txt'],
    preRun: [(module: Espeak) => module.FS.writeFile('in.txt', text)],
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
    print: () => undefined,
    printErr: () => undefined,
  });
  return { wav: soundIn(espeak) };
}

/** Returns the sound file. A text without words produces none. */
function soundIn({ FS }: Espeak): Uint8Array {
  try {
    return FS.readFile('out.wav').slice(wavHeaderBytes);
  } catch {
    return new Uint8Array(0);
  }
}
