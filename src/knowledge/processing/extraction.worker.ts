import { once } from 'node:events';
import { chunkDocument, type DocumentChunk } from './chunk-document.ts';
import { DocumentFailure } from '../document-failure.ts';
import type { DocumentFormat } from '../document-format.ts';
import { languageOf } from './document-language.ts';
import { extractText } from '../extract/extract-text.ts';
import type { ExtractionMessage } from './extraction.ts';

/**
 * Extracts one document: reads its bytes from standard input and writes batches of chunks to standard output, one a
 * line. Runs in its own process so that a malicious file cannot affect the service.
 */
const [format = 'txt', tokens = '400', overlapTokens = '50', batchSize = '100', encoding = ''] = process.argv.slice(2);

async function write(message: ExtractionMessage): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
}

async function run(): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  const extracted = await extractText(format as DocumentFormat, new Uint8Array(Buffer.concat(parts)), encoding || null);
  await write({ type: 'read', language: languageOf(extracted.text), reading: extracted.reading });
  let chunks: DocumentChunk[] = [];
  for (const chunk of chunkDocument(extracted, { tokens: Number(tokens), overlapTokens: Number(overlapTokens) })) {
    chunks.push(chunk);
    if (chunks.length < Number(batchSize)) continue;
    await write({ type: 'chunks', chunks });
    chunks = [];
  }
  await write({ type: 'chunks', chunks });
  await write({ type: 'end' });
}

await run().catch(async (error: unknown) => {
  if (error instanceof DocumentFailure) await write({ type: 'failure', code: error.code, message: error.message });
  else throw error;
});
