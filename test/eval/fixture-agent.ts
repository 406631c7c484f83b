import { newId, newUuid } from '../../src/core/ids.ts';
import type { DocumentFormat } from '../../src/knowledge/document-format.ts';
import { extractText } from '../../src/knowledge/extract/extract-text.ts';
import { chunkDocument } from '../../src/knowledge/processing/chunk-document.ts';
import { languageOf } from '../../src/knowledge/processing/document-language.ts';
import type { ChunkSize } from '../../src/knowledge/processing/split-text.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import type { Embedder } from '../../src/knowledge/retrieval/embedder.ports.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import type { Harness } from '../support/harness.ts';
import { createFixtureEmbedder } from './fixture-embedder.ts';
import { evalDocuments } from './question-set.ts';

interface FileToAdd {
  filename: string;
  format: DocumentFormat;
  content: Uint8Array;
}

/** Adds an agent with the documents of the question set and the vectors of a real model. Returns its id. */
export const addFixtureAgent = (harness: Harness): Promise<string> =>
  addAgentWithDocuments(
    harness,
    createFixtureEmbedder(),
    evalDocuments.map(({ filename, text }) => ({ filename, format: 'md', content: Buffer.from(text) })),
  );

/** Adds an agent with documents as the service processes them, without uploads and jobs. Returns its id. */
export async function addAgentWithDocuments(
  harness: Harness,
  embedder: Embedder,
  files: readonly FileToAdd[],
  size: ChunkSize = { tokens: 400, overlapTokens: 50 },
): Promise<string> {
  const agentId = newUuid();
  const userId = await addUser(harness);
  await addAgent(harness, userId, agentId);
  const vectors = createPostgresVectors({ sql: harness.newCtx().sql });
  Object.assign(harness.ports, { embedder, vectors });
  const { signal } = new AbortController();
  for (const file of files) {
    const { id, chunks } = await addDocument(harness, agentId, userId, file, size);
    for (let from = 0; from < chunks.length; from += embedder.batchSize) {
      const texts = chunks
        .slice(from, from + embedder.batchSize)
        .map(({ place, content }) => (place ? `${place}\n${content}` : content));
      const embedded = await embedder.embed(texts, signal);
      await vectors.upsert(
        { agentId, documentId: id, space: embedder.space },
        embedded.map((vector, i) => ({ chunkId: `chk_${id}_${from + i}`, position: from + i, vector })),
      );
    }
  }
  await harness.query(
    `insert into agent_vector_versions values ($1, 1) on conflict (agent_id) do update set version = agent_vector_versions.version + 1`,
    [agentId],
  );
  return agentId;
}

const chunksAtOnce = 200;
const insertChunks = {
  name: 'fixture_chunks',
  text: `
    insert into chunks (id, document_id, agent_id, position, place, content, language, spellings)
    select 'chk_' || $1 || '_' || $7::integer + n - 1, $1, $2, $7::integer + n - 1, place, content, $5::regconfig, spellings
    from unnest($3::text[], $4::text[], $6::text[]) with ordinality as c (place, content, spellings, n)`,
};

async function addDocument(
  harness: Harness,
  agentId: string,
  userId: string,
  { filename, format, content }: FileToAdd,
  size: ChunkSize,
) {
  const { sql } = harness.newCtx();
  const id = newId('doc_');
  const extracted = await extractText(format, content);
  const chunks = [...chunkDocument(extracted, size)];
  const language = languageOf(extracted.text);
  await sql(
    {
      name: 'fixture_document',
      text: `
        insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, space, chunks_total, created_at)
        values ($1, $2, $3, $4, $8, 1, 'ready', $5::regconfig, $6, $7, now())`,
    },
    [id, agentId, userId, filename, language, harness.ports.embedder.space, chunks.length, format],
  );
  for (let from = 0; from < chunks.length; from += chunksAtOnce) {
    const some = chunks.slice(from, from + chunksAtOnce);
    await sql(insertChunks, [
      id,
      agentId,
      some.map(({ place }) => place),
      some.map(({ content: text }) => text),
      language,
      some.map(({ spellings }) => spellings),
      from,
    ]);
  }
  return { id, chunks };
}
