import type { ExportedFile, ExportFiles, ExportSection } from '../core/feature.ts';
import { documentFileKey } from './document.ts';

/** Section of a data export with the documents. */
export const documentExport: ExportSection = {
  path: 'documents.json',
  statement: {
    name: 'export_documents',
    text: `
      select d.id, d.agent_id, d.filename, d.size_bytes, d.status, d.chunks_total, d.encoding, d.reading, d.error_code, d.error_message, d.created_at
      from documents d join agents a on a.id = d.agent_id
      where a.owner_id = $1 and (d.created_at, d.id) > ($2, $3) order by d.created_at, d.id limit $4`,
  },
};

const listFiles = {
  name: 'export_document_files',
  text: `
    select d.id, d.agent_id as "agentId", d.filename from documents d join agents a on a.id = d.agent_id
    where a.owner_id = $1 and d.id > $2 order by d.id limit 100`,
};

/** Uploaded originals in a data export. */
export const documentFiles: ExportFiles = async function* files(ctx, userId): AsyncGenerator<ExportedFile, void, void> {
  for (let after = ''; ;) {
    const page = await ctx.sql<{ id: string; agentId: string; filename: string }>(listFiles, [userId, after]);
    for (const document of page) yield { name: `${document.id} ${document.filename}`, key: documentFileKey(document) };
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
};
