import { type Document, ObjectId } from 'bson';
import { Aggregator, find, Query, update } from 'mingo';

/** An error with MongoDB's number. */
export class MongoFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Index {
  name: string;
  key: Document;
  unique?: boolean;
  partialFilterExpression?: Document;
}

export interface UpdateStatement {
  q: Document;
  u: Document;
  multi?: boolean;
  upsert?: boolean;
  sort?: Document;
}

const duplicateKey = 11_000;

/** Documents in memory. Every method is synchronous, so commands are atomic as MongoDB's are on one document. */
export function createCollection(name: string) {
  let documents: Document[] = [];
  const indexes: Index[] = [{ name: '_id_', key: { _id: 1 }, unique: true }];

  const select = (filter: Document, sort?: Document): Document[] => {
    const cursor = find<Document>(documents, filter);
    return (sort ? cursor.sort(sort) : cursor).all();
  };

  const valueAt = (document: Document, path: string): unknown =>
    path.split('.').reduce<unknown>((value, part) => (value as Document | null | undefined)?.[part], document);
  const keyOf = (document: Document, key: Document) =>
    JSON.stringify(Object.keys(key).map((path) => valueAt(document, path) ?? null));

  const checkUnique = (candidate: Document, replaced?: Document): void => {
    for (const { name: index, key, unique, partialFilterExpression } of indexes) {
      const covers = (document: Document) =>
        !partialFilterExpression || new Query(partialFilterExpression).test(document);
      if (!unique || !covers(candidate)) continue;
      const wanted = keyOf(candidate, key);
      if (documents.some((other) => other !== replaced && covers(other) && keyOf(other, key) === wanted)) {
        throw new MongoFault(
          duplicateKey,
          `E11000 duplicate key error collection: ${name} index: ${index} dup key: ${wanted}`,
        );
      }
    }
  };

  const insert = (document: Document): Document => {
    const stored = { _id: new ObjectId(), ...structuredCopy(document) };
    checkUnique(stored);
    documents.push(stored);
    return stored;
  };

  const change = (document: Document, modifier: Document, isInsert: boolean): Document => {
    const { $setOnInsert, ...rest } = modifier;
    const isReplacement = !Object.keys(modifier).some((key) => key.startsWith('$'));
    const changed: Document = isReplacement ? { _id: document['_id'], ...modifier } : structuredCopy(document);
    if (!isReplacement) {
      // Operators are applied one after the other, which is equivalent as long as they do not overlap.
      for (const [operator, argument] of Object.entries(rest)) update(changed, { [operator]: argument });
      if (isInsert && $setOnInsert) update(changed, { $set: $setOnInsert });
    }
    return changed;
  };

  const replace = (before: Document, after: Document): void => {
    checkUnique(after, before);
    documents[documents.indexOf(before)] = after;
  };

  const upsert = ({ q, u }: UpdateStatement): Document => {
    const equalities = Object.entries(q).filter(([key, value]) => !key.startsWith('$') && !isOperator(value));
    return insert(change(Object.fromEntries(equalities), u, true));
  };

  return {
    insert,
    select,
    aggregate: (pipeline: Document[]): Document[] => new Aggregator(pipeline).run(documents) as Document[],
    update: (statement: UpdateStatement) => {
      const matched = select(statement.q, statement.sort).slice(0, statement.multi ? undefined : 1);
      if (matched.length === 0 && statement.upsert) return { matched: 0, modified: 0, upserted: upsert(statement) };
      for (const document of matched) replace(document, change(document, statement.u, false));
      return { matched: matched.length, modified: matched.length, upserted: undefined };
    },
    findAndModify: (statement: UpdateStatement, wantsNew: boolean) => {
      const [before] = select(statement.q, statement.sort);
      if (!before) {
        const after = statement.upsert ? upsert(statement) : undefined;
        return { value: (wantsNew && after) || null, upserted: after, existed: false };
      }
      const after = change(before, statement.u, false);
      replace(before, after);
      return { value: wantsNew ? after : before, upserted: undefined, existed: true };
    },
    remove: (filter: Document, limit: number, sort?: Document): Document[] => {
      const gone = new Set(select(filter, sort).slice(0, limit || undefined));
      documents = documents.filter((document) => !gone.has(document));
      return [...gone];
    },
    createIndex: (index: Index): void => {
      if (indexes.some(({ name: known }) => known === index.name)) return;
      indexes.push(index);
    },
    indexes: () => indexes.map((index) => ({ v: 2, ...index })),
  };
}

export type Collection = ReturnType<typeof createCollection>;

const isOperator = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).some((key) => key.startsWith('$'));

/** Returns a mutable copy: objects and arrays are copied, dates and BSON values are shared. */
function structuredCopy(document: Document): Document {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return structuredCopy(value as Document);
  };
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, copy(value)]));
}
