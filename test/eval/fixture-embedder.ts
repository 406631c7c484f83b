import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalised } from '../../src/core/vectors.ts';
import type { Embedder } from '../../src/knowledge/retrieval/embedder.ports.ts';

/** Embeddings of all texts of the question set, made by a real model. @throws for any other text */
export function createFixtureEmbedder(): Embedder {
  const file = join(import.meta.dirname, 'set/vectors.json');
  const { model, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    model: string;
    vectors: Record<string, string>;
  };
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
    texts.map((text) => {
      const codes = vectors[createHash('sha256').update(text).digest('hex').slice(0, 16)];
      if (!codes) throw new Error(`no embedding of: ${text.slice(0, 80)}`);
      return normalised(Float32Array.from(new Int8Array(Buffer.from(codes, 'base64'))));
    });
  return { space: model, batchSize: 100, embed, embedQuestion: embed };
}
