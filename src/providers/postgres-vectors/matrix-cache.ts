import type { Sql } from '../../core/database/sql.ts';
import { createVectorMatrix, type MatrixRow, type VectorMatrix } from './vector-matrix.ts';

/** Matrices of the agents that were queried last. */
export interface MatrixCache {
  /** Returns the agent's vectors in the space, as new as the database; null when it has none. */
  current(agentId: string, space: string, dimensions: number): Promise<VectorMatrix | null>;
}

const pageRows = 4_000;

const readVersion = {
  name: 'vectors_version',
  text: `select version from agent_vector_versions where agent_id = $1`,
};
const readDocuments = {
  name: 'vectors_ready_documents',
  text: `select id from documents where agent_id = $1 and space = $2 and status = 'ready' order by id`,
};
const readRows = {
  name: 'vectors_rows',
  text: `
    select document_id as "documentId", position, chunk_id as "chunkId", codes, scale, error from chunk_vectors
    where document_id = any ($1) and space = $2 and (document_id, position) > ($3, $4)
    order by document_id, position limit ${pageRows}`,
};

interface Entry {
  matrix: VectorMatrix;
  version: number;
  /** One refresh at a time: concurrent callers wait for it, then compare versions again. */
  refreshing: Promise<void> | null;
}

export function createMatrixCache(sql: Sql, maxBytes: number): MatrixCache {
  // Least recently used first.
  const entries = new Map<string, Entry>();

  const evict = (inUse: string): void => {
    let size = [...entries.values()].reduce((sum, { matrix }) => sum + matrix.sizeBytes, 0);
    for (const [key, entry] of entries) {
      if (size <= maxBytes) return;
      if (key === inUse || entry.refreshing) continue;
      entries.delete(key);
      size -= entry.matrix.sizeBytes;
    }
  };

  // The version is read before the rows: a change in between makes the matrix newer than its version, never older.
  const refresh = async (entry: Entry, agentId: string, space: string, version: number): Promise<void> => {
    const ready = await sql<{ id: string }>(readDocuments, [agentId, space]);
    const ids = new Set(ready.map(({ id }) => id));
    entry.matrix.keep(ids);
    const missing = [...ids].filter((id) => !entry.matrix.has(id));
    for await (const [documentId, rows] of rowsByDocument(sql, missing, space)) entry.matrix.add(documentId, rows);
    entry.version = version;
  };

  return {
    current: async (agentId, space, dimensions) => {
      const key = `${agentId} ${space}`;
      for (;;) {
        const [row] = await sql<{ version: number }>(readVersion, [agentId]);
        if (!row) return null;
        const entry = entries.get(key) ?? { matrix: createVectorMatrix(dimensions), version: -1, refreshing: null };
        entries.delete(key);
        entries.set(key, entry);
        if (entry.version >= row.version && !entry.refreshing) return entry.matrix;
        entry.refreshing ??= refresh(entry, agentId, space, row.version).finally(() => (entry.refreshing = null));
        await entry.refreshing;
        evict(key);
      }
    },
  };
}

interface Row extends MatrixRow {
  documentId: string;
  position: number;
}

/** Yields the rows of the documents, one complete document at a time. */
async function* rowsByDocument(
  sql: Sql,
  documentIds: readonly string[],
  space: string,
): AsyncGenerator<[string, Row[]]> {
  let open: Row[] = [];
  for (let last = { documentId: '', position: -1 }; ;) {
    const page = await sql<Row>(readRows, [documentIds, space, last.documentId, last.position]);
    for (const row of page) {
      if (open[0] && open[0].documentId !== row.documentId) {
        yield [open[0].documentId, open];
        open = [];
      }
      open.push(row);
    }
    const end = page.at(-1);
    if (!end || page.length < pageRows) break;
    last = end;
  }
  if (open[0]) yield [open[0].documentId, open];
}
