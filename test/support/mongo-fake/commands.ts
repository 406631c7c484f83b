import { type Document, Long } from 'bson';
import { type Collection, createCollection, MongoFault, type UpdateStatement } from './collection.ts';

const commandNotFound = 59;
const cursorNotFound = 43;
const defaultBatchSize = 101;

/** The commands that the fake supports, and their data. */
export function createCommands() {
  const collections = new Map<string, Collection>();
  const cursors = new Map<number, { namespace: string; rest: Document[] }>();
  let lastCursorId = 0;

  const collectionOf = (command: Document, name: string): Collection => {
    const namespace = `${command['$db']}.${name}`;
    const known = collections.get(namespace) ?? createCollection(namespace);
    collections.set(namespace, known);
    return known;
  };

  const firstBatch = (command: Document, name: string, documents: Document[], wanted: number | undefined): Document => {
    const batchSize = wanted ?? defaultBatchSize;
    const rest = documents.slice(batchSize);
    const id = rest.length > 0 && !command['singleBatch'] ? ++lastCursorId : 0;
    const namespace = `${command['$db']}.${name}`;
    if (id) cursors.set(id, { namespace, rest });
    return { cursor: { id: Long.fromNumber(id), ns: namespace, firstBatch: documents.slice(0, batchSize) }, ok: 1 };
  };

  /** Runs each statement of an ordered or unordered write and collects the errors. */
  const each = (
    command: Document,
    statements: Document[],
    run: (statement: Document, index: number) => void,
  ): Document[] => {
    const writeErrors: Document[] = [];
    for (const [index, statement] of statements.entries()) {
      try {
        run(statement, index);
      } catch (error) {
        if (!(error instanceof MongoFault)) throw error;
        writeErrors.push({ index, code: error.code, errmsg: error.message });
        if (command['ordered'] !== false) break;
      }
    }
    return writeErrors;
  };
  const written = (n: number, writeErrors: Document[], more: Document = {}): Document => ({
    n,
    ...more,
    ...(writeErrors.length > 0 && { writeErrors }),
    ok: 1,
  });

  const hello = (): Document => ({
    isWritablePrimary: true,
    ismaster: true,
    helloOk: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    localTime: new Date(),
    minWireVersion: 0,
    maxWireVersion: 21,
    ok: 1,
  });

  const commands: Record<string, (command: Document) => Document> = {
    hello,
    ismaster: hello,
    isMaster: hello,
    ping: () => ({ ok: 1 }),
    endSessions: () => ({ ok: 1 }),
    buildInfo: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0], ok: 1 }),
    insert: (command) => {
      let n = 0;
      const errors = each(command, command['documents'] as Document[], (document) => {
        collectionOf(command, command['insert']).insert(document);
        n++;
      });
      return written(n, errors);
    },
    update: (command) => {
      let n = 0;
      let nModified = 0;
      const upserted: Document[] = [];
      const errors = each(command, command['updates'] as Document[], (statement, index) => {
        const result = collectionOf(command, command['update']).update(statement as UpdateStatement);
        n += result.matched + (result.upserted ? 1 : 0);
        nModified += result.modified;
        if (result.upserted) upserted.push({ index, _id: result.upserted['_id'] });
      });
      return written(n, errors, { nModified, ...(upserted.length > 0 && { upserted }) });
    },
    delete: (command) => {
      let n = 0;
      const errors = each(command, command['deletes'] as Document[], ({ q, limit }) => {
        n += collectionOf(command, command['delete']).remove(q, limit).length;
      });
      return written(n, errors);
    },
    findAndModify: (command) => {
      const collection = collectionOf(command, command['findAndModify']);
      const { query: q = {}, update: u, sort, upsert } = command;
      if (command['remove']) {
        const [value] = collection.remove(q, 1, sort);
        return { value: value ?? null, lastErrorObject: { n: value ? 1 : 0 }, ok: 1 };
      }
      const { value, upserted, existed } = collection.findAndModify({ q, u, sort, upsert }, command['new'] === true);
      const lastErrorObject = {
        n: existed || upserted ? 1 : 0,
        updatedExisting: existed,
        ...(upserted && { upserted: upserted['_id'] }),
      };
      return { value, lastErrorObject, ok: 1 };
    },
    find: (command) => {
      const { filter = {}, sort, skip = 0, limit = 0, batchSize } = command;
      const found = collectionOf(command, command['find'])
        .select(filter, sort)
        .slice(skip, limit ? skip + limit : undefined);
      return firstBatch(command, command['find'], found, batchSize);
    },
    aggregate: (command) => {
      const result = collectionOf(command, command['aggregate']).aggregate(command['pipeline']);
      return firstBatch(command, command['aggregate'], result, command['cursor']?.batchSize);
    },
    getMore: (command) => {
      const id = Number(command['getMore']);
      const cursor = cursors.get(id);
      if (!cursor) throw new MongoFault(cursorNotFound, `cursor id ${id} not found`);
      const nextBatch = cursor.rest.splice(0, command['batchSize'] ?? cursor.rest.length);
      if (cursor.rest.length === 0) cursors.delete(id);
      return {
        cursor: { id: Long.fromNumber(cursor.rest.length > 0 ? id : 0), ns: cursor.namespace, nextBatch },
        ok: 1,
      };
    },
    killCursors: (command) => {
      for (const id of command['cursors'] as unknown[]) cursors.delete(Number(id));
      return { cursorsKilled: command['cursors'], ok: 1 };
    },
    createIndexes: (command) => {
      const collection = collectionOf(command, command['createIndexes']);
      for (const index of command['indexes']) collection.createIndex(index);
      return { numIndexesAfter: collection.indexes().length, ok: 1 };
    },
    listIndexes: (command) =>
      firstBatch(command, command['listIndexes'], collectionOf(command, command['listIndexes']).indexes(), undefined),
  };

  /** Executes a command as mongod does, including its errors. */
  return (command: Document): Document => {
    const [name = ''] = Object.keys(command);
    try {
      const run = commands[name];
      if (!run) throw new MongoFault(commandNotFound, `no such command: '${name}'`);
      return run(command);
    } catch (error) {
      if (!(error instanceof MongoFault)) throw error;
      return { ok: 0, code: error.code, codeName: 'Fault', errmsg: error.message };
    }
  };
}
