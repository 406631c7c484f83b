import { newId } from '../../src/core/ids.ts';
import type { House } from './house.ts';

/** The row of a user who never registered. Answers its id. */
export async function addUser(house: House, id = newId('user')): Promise<string> {
  await house.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at) values ($1, $1 || '@example.com', $1, '', now(), now())`,
    [id],
  );
  return id;
}

/** The row of an agent of that user. Answers its id. */
export async function addAgent(house: House, ownerId: string, id = newId('agent')): Promise<string> {
  await house.query(
    `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at) values ($1, $2, 'a', 'b', 'default', now(), now())`,
    [id, ownerId],
  );
  return id;
}
