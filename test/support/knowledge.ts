import type { Answer } from './client.ts';
import type { TestApp } from './app.ts';
import { eventually } from './eventually.ts';

/** An account with an agent, and the path of its documents. */
export interface KnowledgePlace {
  token: string;
  userId: string;
  agentId: string;
  /** `/v1/knowledge/:agent_id/documents` */
  documents: string;
}

export async function knowledgePlace(app: TestApp, agent: object = {}): Promise<KnowledgePlace> {
  const { token, id } = await app.signUp();
  const { id: agentId } = await app.createAgent(token, { greeting_message: 'Hello.', ...agent });
  return { token, userId: id, agentId, documents: `/v1/knowledge/${agentId}/documents` };
}

export type FileContent = string | Uint8Array<ArrayBuffer>;

export function fileForm(filename: string, content: FileContent, field = 'file'): FormData {
  const body = new FormData();
  body.append(field, new Blob([content]), filename);
  return body;
}

export const upload = (app: TestApp, place: KnowledgePlace, filename: string, content: FileContent): Promise<Answer> =>
  app.call('POST', place.documents, { as: place.token, body: fileForm(filename, content) });

/** Waits until the document is ready or has failed. */
export const settled = (app: TestApp, place: KnowledgePlace, id: string, timeoutMs = 20_000): Promise<Answer['body']> =>
  eventually(
    async () => {
      const { body } = await app.call('GET', `${place.documents}/${id}`, { as: place.token });
      return body.status === 'processing' ? null : body;
    },
    { what: 'the end of processing', timeoutMs },
  );

export const query = async (
  app: TestApp,
  place: KnowledgePlace,
  question: string,
  limit?: number,
): Promise<Answer['body']> =>
  (
    await app.call('POST', `/v1/knowledge/${place.agentId}/query`, {
      as: place.token,
      body: { query: question, limit },
    })
  ).body;
