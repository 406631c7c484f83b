import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMongoFake } from './mongo-fake/server.ts';

interface Row {
  name: string;
  n: number;
  at?: Date | null;
  nested?: { x: number };
}

let fake: Awaited<ReturnType<typeof startMongoFake>>;
let client: MongoClient;
const rows = (name: string) => client.db().collection<Row>(name);

beforeAll(async () => {
  fake = await startMongoFake();
  client = new MongoClient(fake.url, { serverSelectionTimeoutMS: 2_000 });
});
afterAll(async () => {
  await client.close();
  await fake.close();
});

test('lets the real driver insert, find in order, page through a cursor, update and delete', async () => {
  const all = rows('crud');
  const at = new Date();
  await all.insertMany(Array.from({ length: 250 }, (_, n) => ({ name: `r${n}`, n, at, nested: { x: n % 2 } })));
  expect(await all.countDocuments({ 'nested.x': 1 })).toBe(125);
  expect(
    (
      await all
        .find({ n: { $lt: 200 } })
        .sort({ n: -1 })
        .toArray()
    ).map((row) => row.n),
  ).toEqual(Array.from({ length: 200 }, (_, i) => 199 - i));
  expect(await all.findOne({ n: 7 })).toMatchObject({ name: 'r7', at, nested: { x: 1 } });
  expect(await all.updateMany({ n: { $gte: 248 } }, { $set: { at: null } })).toMatchObject({
    matchedCount: 2,
    modifiedCount: 2,
  });
  expect(await all.countDocuments({ at: null })).toBe(2);
  expect(await all.deleteMany({ n: { $gte: 1 } })).toMatchObject({ deletedCount: 249 });
  expect(await all.find().toArray()).toHaveLength(1);
});

test('returns the document before or after find-and-modify, upserts, and is exclusive', async () => {
  const all = rows('modify');
  const upserted = await all.findOneAndUpdate(
    { name: 'a' },
    { $set: { n: 1 }, $setOnInsert: { at: null } },
    { upsert: true, returnDocument: 'after' },
  );
  expect(upserted).toMatchObject({ name: 'a', n: 1, at: null });
  expect(await all.findOneAndUpdate({ name: 'a' }, { $inc: { n: 1 } })).toMatchObject({ n: 1 });
  expect(await all.findOneAndUpdate({ name: 'b' }, { $inc: { n: 1 } })).toBeNull();
  await all.insertMany(Array.from({ length: 10 }, (_, n) => ({ name: 'job', n, at: null })));
  const taken = await Promise.all(
    Array.from({ length: 20 }, () =>
      all.findOneAndUpdate({ name: 'job', at: null }, { $set: { at: new Date() } }, { sort: { n: 1 } }),
    ),
  );
  expect(
    taken
      .filter((row) => row !== null)
      .map((row) => row.n)
      .toSorted((a, b) => a - b),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('enforces a unique index, and a partial one only where it applies', async () => {
  const all = rows('unique');
  await all.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { n: { $gt: 0 } } }, {});
  await all.insertOne({ name: 'x', n: 1 });
  await all.insertOne({ name: 'x', n: 0 });
  await expect(all.insertOne({ name: 'x', n: 2 })).rejects.toMatchObject({ code: 11_000 });
  await expect(all.updateOne({ n: 0 }, { $set: { n: 3 } })).rejects.toMatchObject({ code: 11_000 });
  expect(await all.listIndexes().toArray()).toMatchObject([{ name: '_id_' }, { name: 'name_1' }]);
});
