import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import pLimit from 'p-limit';
import { newId } from '../../../src/core/ids.ts';
import { chunkDocument, type DocumentChunk } from '../../../src/knowledge/processing/chunk-document.ts';
import { languageOf } from '../../../src/knowledge/processing/document-language.ts';
import { extractText } from '../../../src/knowledge/extract/extract-text.ts';
import { createOpenAiEmbedder } from '../../../src/providers/openai/embedder.ts';
import { quantise } from '../../../src/providers/postgres-vectors/quantise.ts';
import { createPool } from './caller.ts';
import { type CopyField, copyRows } from './copy.ts';
import { listen } from './listen.ts';

// The bare loop of P11: splits a text, embeds it in batches of 100, four at a time, and stores chunks and vectors with
// COPY, using the splitting, the embedder and the rows of the service. It has no lease, no progress, no resuming after a
// kill and no separate process for extraction. POST / with a text returns its number of chunks.

const size = { tokens: 400, overlapTokens: 50 };
const concurrency = 4;
/** Maximum number of batches in memory: some are embedded while others are stored. */
const maxBatches = 8;
const pool = createPool();
const agentId = process.env['AGENT_ID'] ?? '';
const ownerId = process.env['OWNER_ID'] ?? '';
const embedder = createOpenAiEmbedder({
  apiKey: 'bench',
  baseUrl: process.env['OPENAI_BASE_URL'] ?? '',
  model: 'text-embedding-3-small',
  dimensions: 512,
});
const embedding = pLimit(concurrency);
const { signal } = new AbortController();

listen(
  (request, response) =>
    void ingest(request).then(
      (chunks) => response.end(JSON.stringify({ chunks })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    ),
);

async function ingest(request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const extracted = await extractText('txt', Buffer.concat(parts));
  const language = languageOf(extracted.text);
  const { rows } = await pool.query<{ oid: number }>(`select $1::regconfig::oid::int as oid`, [language]);
  const document: StoredDocument = { id: newId('doc_'), language: rows[0]?.oid ?? 0 };
  await pool.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, created_at)
     values ($1, $2, $3, 'floor.txt', 'txt', 1, 'processing', $4::regconfig, now())`,
    [document.id, agentId, ownerId, language],
  );
  const chunks = chunkDocument(extracted, size);
  let count = 0;
  const worker = async (): Promise<void> => {
    for (let batch = take(chunks); batch.length > 0; batch = take(chunks)) {
      const from = count;
      count += batch.length;
      await store(document, from, batch, await embedding(() => embedder.embed(batch.map(embeddedText), signal)));
    }
  };
  await Promise.all(Array.from({ length: maxBatches }, worker));
  await pool.query(
    `update documents set status = 'ready', chunks_total = $2, chunks_done = $2, space = $3, completed_at = now() where id = $1`,
    [document.id, count, embedder.space],
  );
  return count;
}

interface StoredDocument {
  id: string;
  /** The oid of the text search configuration. */
  language: number;
}

function take(chunks: Iterator<DocumentChunk>): DocumentChunk[] {
  const batch: DocumentChunk[] = [];
  while (batch.length < embedder.batchSize) {
    const { value, done } = chunks.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
}

const embeddedText = ({ place, content }: DocumentChunk): string => (place ? `${place}\n${content}` : content);

async function store(
  document: StoredDocument,
  from: number,
  batch: readonly DocumentChunk[],
  vectors: readonly Float32Array[],
): Promise<void> {
  const ids = batch.map(() => `chk_${randomUUID()}`);
  const chunkRows = batch.map(({ place, content }, i): CopyField[] => [
    ids[i] ?? '',
    document.id,
    agentId,
    { int4: from + i },
    place,
    content,
    { int4: document.language },
  ]);
  const vectorRows = vectors.map((vector, i): CopyField[] => {
    const { codes, scale } = quantise(vector);
    return [document.id, agentId, embedder.space, { int4: from + i }, ids[i] ?? '', bytesOf(codes), { float4: scale }];
  });
  const client = await pool.connect();
  try {
    await client.query('begin');
    await copyRows(client, copyChunks, chunkRows);
    await copyRows(client, copyVectors, vectorRows);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const copyChunks = `
  copy chunks (id, document_id, agent_id, position, place, content, language) from stdin (format binary)`;
const copyVectors = `
  copy chunk_vectors (document_id, agent_id, space, position, chunk_id, codes, scale) from stdin (format binary)`;

const bytesOf = (values: Float32Array | Int8Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);
