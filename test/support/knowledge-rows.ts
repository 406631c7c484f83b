import { newId } from '../../src/core/ids.ts';
import { addAgent, addUser } from './account-rows.ts';
import type { Harness } from './harness.ts';

/** Inserts an agent with one ready English document. Returns the chunks' texts by id. */
export async function addAgentWithChunks(
  harness: Harness,
  agentId: string,
  chunks: Readonly<Record<string, string>>,
): Promise<void> {
  const documentId = newId('doc_');
  const userId = await addUser(harness);
  await addAgent(harness, userId, agentId);
  await harness.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, chunks_total, created_at)
     values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', 'english', $4, now())`,
    [documentId, agentId, userId, Object.keys(chunks).length],
  );
  await harness.query(
    `insert into chunks (id, document_id, agent_id, position, place, content, language)
     select id, $1, $2, n, '', content, 'english' from unnest($3::text[], $4::text[]) with ordinality as c (id, content, n)`,
    [documentId, agentId, Object.keys(chunks), Object.values(chunks)],
  );
}
