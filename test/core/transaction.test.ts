import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ctx } from '../../src/core/ctx.ts';
import { inTransaction, onCommitted, sendSql } from '../../src/core/database/transaction.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
  await harness.query('create table notes (id integer primary key)');
});
afterAll(() => harness?.close());
beforeEach(() => harness.query('truncate notes'));

const insert = { name: 'note_insert', text: 'insert into notes values ($1)' };
const read = { name: 'notes_read', text: 'select id from notes order by id' };
const send = (ctx: Ctx, id: number) => sendSql(ctx, insert, [id]);
const stored = async () => (await harness.query<{ id: number }>(read.text)).map(({ id }) => id);

test('a statement that is not awaited is part of the transaction, in order', async () => {
  const seen = await inTransaction(harness.newCtx(), async (tx) => {
    await send(tx, 1);
    const rows = await tx.sql<{ id: number }>(read);
    await send(tx, 2);
    return rows.map(({ id }) => id);
  });
  expect(seen).toEqual([1]);
  expect(await stored()).toEqual([1, 2]);
});

test('a failed statement rolls everything back and is reported, and nothing counts as committed', async () => {
  const committed: string[] = [];
  const failing = inTransaction(harness.newCtx(), async (tx) => {
    onCommitted(tx, () => committed.push('the transaction'));
    await tx.sql(insert, [1]);
    await send(tx, 1);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  const goingOn = inTransaction(harness.newCtx(), async (tx) => {
    await send(tx, 2);
    await send(tx, 2);
    await tx.sql(read);
  });
  await expect(goingOn).rejects.toMatchObject({ code: '23505' });
  expect(committed).toEqual([]);
  expect(await stored()).toEqual([]);
});

test('of statements that were sent together the one that failed is reported, not those after it', async () => {
  const deeper = async (fn: () => Promise<unknown>) => {
    await fn();
  };
  const failing = inTransaction(harness.newCtx(), async (tx) => {
    await tx.sql(insert, [1]);
    await Promise.all([deeper(() => deeper(() => tx.sql(insert, [1]))), tx.sql(read), tx.sql(insert, [2])]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await stored()).toEqual([]);
});

test('outside a transaction the statement is awaited', async () => {
  await send(harness.newCtx(), 1);
  await expect(send(harness.newCtx(), 1)).rejects.toMatchObject({ code: '23505' });
});

test('a statement after the end of a transaction is refused', async () => {
  const kept = await inTransaction(harness.newCtx(), async (tx) => tx);
  await expect(kept.sql(insert, [1])).rejects.toThrow('after the end');
  expect(await stored()).toEqual([]);
});
