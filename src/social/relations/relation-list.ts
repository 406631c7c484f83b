import type { PublicProfile } from '../../accounts/public-profiles.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { SqlValue, Statement } from '../../core/database/sql.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { listInput } from '../social.input.ts';

/** A user in a list of relations, with the time the relation began. */
export type RelatedUser = PublicProfile & { since: Date };

/** Maximum total that is counted for a list. */
const maxCounted = 10_000;

interface RelationList {
  /** Name of the list's prepared statement. */
  name: string;
  table: string;
  /** Column of the user to whom the list belongs. `to` is the column of the listed users. */
  of: string;
  to: string;
  /** SQL condition on the relation `r`, the user `u` and the profile `p`. May use $2, the caller. */
  condition: string;
}

export interface UserList {
  list: OrderedList<RelatedUser>;
  count: Statement;
}

/**
 * Creates a list of users, newest relation first. Its values are the user to whom the list belongs ($1) and the caller
 * ($2).
 */
export function userList({ name, table, of, to, condition }: RelationList): UserList {
  const from = `
    ${table} r join users u on u.id = r.${to} left join profiles p on p.user_id = u.id
    where r.${of} = $1 and ${condition}`;
  return {
    list: orderedList<RelatedUser>({
      name,
      columns: `u.id, u.username, u.display_name as "displayName", u.avatar_url as "avatarUrl", r.created_at as since`,
      from,
      valueCount: 2,
      key: { column: 'r.created_at', kind: 'time', of: ({ since }) => since },
      id: { column: `r.${to}`, of: ({ id }) => id },
    }),
    count: { name: `${name}_count`, text: `select count(*) as total from (select from ${from} limit ${maxCounted}) r` },
  };
}

/**
 * Reads a page of a list of users.
 * @throws AppError `invalid_request`
 */
export async function readUserList(
  ctx: Ctx,
  { list, count }: UserList,
  values: readonly SqlValue[],
  input: unknown,
): Promise<Page<PublicProfile>> {
  const page = parseInput(listInput, input);
  return withTotal(ctx, readSlice(ctx, list, values, page), page, count, values);
}
