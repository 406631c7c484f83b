import { newId } from '../../src/core/ids.ts';
import { addAgent, addUser } from './account-rows.ts';
import type { House } from './house.ts';

/** Rows of an agent that has one ready English document. The chunks' ids lead to their texts. */
export async function addAgentWithChunks(
  house: House,
  agentId: string,
  chunks: Readonly<Record<string, string>>,
): Promise<void> {
  const documentId = newId('document');
  const userId = await addUser(house);
  await addAgent(house, userId, agentId);
  await house.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, created_at)
     values ($1, $2, $3, 'a.txt', 'txt', 1, 'ready', 'english', now())`,
    [documentId, agentId, userId],
  );
  await house.query(
    `insert into chunks (id, document_id, agent_id, position, place, content, language)
     select id, $1, $2, n, '', content, 'english' from unnest($3::text[], $4::text[]) with ordinality as c (id, content, n)`,
    [documentId, agentId, Object.keys(chunks), Object.values(chunks)],
  );
}
