import { newId, newUuid } from '../../src/core/ids.ts';
import type { Harness } from './harness.ts';

/** Inserts a user without registering them. Returns the id. */
export async function addUser(harness: Harness, id = newId('usr_')): Promise<string> {
  await harness.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at) values ($1, $1 || '@example.com', $1, '', now(), now())`,
    [id],
  );
  return id;
}

/** Inserts an agent of that user. Returns the id. */
export async function addAgent(harness: Harness, ownerId: string, id = newUuid()): Promise<string> {
  await harness.query(
    `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at) values ($1, $2, 'a', 'b', 'default', now(), now())`,
    [id, ownerId],
  );
  return id;
}
