import type { Sql } from '../../core/database/sql.ts';
import { createVectorMatrix, type MatrixRow, type VectorMatrix } from './vector-matrix.ts';

/** Cache of the matrices of the most recently queried agents. */
export interface MatrixCache {
  /** Returns the agent's vectors in the space, as current as the database; null when it has none. */
  current(agentId: string, space: string): Promise<VectorMatrix | null>;
}

const pageRows = 4_000;

// Reads the ready documents only if the version has changed.
const readState = {
  name: 'vectors_state',
  text: `
    select version, case when version > $3 then array(
        select id from documents where agent_id = $1 and space = $2 and status = 'ready' order by id
      ) end as documents
    from agent_vector_versions where agent_id = $1`,
};
const readRows = {
  name: 'vectors_rows',
  text: `
    select document_id as "documentId", position, chunk_id as "chunkId", codes, scale from chunk_vectors
    where document_id = any ($1) and space = $2 and (document_id, position) > ($3, $4)
    order by document_id, position limit ${pageRows}`,
};

interface State {
  version: number;
  documents: string[] | null;
}

interface Entry {
  /** Null until the first vector has been read. */
  matrix: VectorMatrix | null;
  version: number;
  /** The running refresh. Concurrent callers wait for it and then compare versions. */
  refreshing: Promise<void> | null;
}

export function createMatrixCache(sql: Sql, maxBytes: number): MatrixCache {
  // Least recently used first.
  const entries = new Map<string, Entry>();

  const evict = (inUse: string): void => {
    const sizeOf = ({ matrix }: Entry): number => matrix?.sizeBytes ?? 0;
    let size = [...entries.values()].reduce((sum, entry) => sum + sizeOf(entry), 0);
    for (const [key, entry] of entries) {
      if (size <= maxBytes) return;
      if (key === inUse || entry.refreshing) continue;
      entries.delete(key);
      size -= sizeOf(entry);
    }
  };

  // The version is read before the rows, so a concurrent change makes the matrix newer than its version, never older.
  const refresh = async (entry: Entry, space: string, version: number, documents: readonly string[]): Promise<void> => {
    entry.matrix?.keep(new Set(documents));
    const missing = documents.filter((id) => !entry.matrix?.has(id));
    for await (const [documentId, rows] of rowsByDocument(sql, missing, space)) {
      entry.matrix ??= createVectorMatrix(rows[0]?.codes.length ?? 0);
      entry.matrix.add(documentId, rows);
    }
    entry.version = version;
  };

  return {
    current: async (agentId, space) => {
      const key = `${agentId} ${space}`;
      for (;;) {
        const [state] = await sql<State>(readState, [agentId, space, entries.get(key)?.version ?? -1]);
        if (!state) return null;
        const entry = entries.get(key) ?? { matrix: null, version: -1, refreshing: null };
        entries.delete(key);
        entries.set(key, entry);
        if (!entry.refreshing && entry.version < state.version && state.documents) {
          entry.refreshing = refresh(entry, space, state.version, state.documents).finally(
            () => (entry.refreshing = null),
          );
        }
        if (entry.refreshing) {
          await entry.refreshing;
          evict(key);
        }
        if (entry.version >= state.version && !entry.refreshing) return entry.matrix;
      }
    },
  };
}

interface Row extends MatrixRow {
  documentId: string;
  position: number;
}

/** Yields the rows of the documents, grouped by document. */
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
